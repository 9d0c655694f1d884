// Virtual lists: only the visible rows are in the page, so that long lists are as fast as short ones.
"use strict";
(() => {
  const {el} = window.strata;

  class VirtualList {
    // show(i) makes the element of row i; all rows are `height` pixels high.
    constructor(container, height, show) {
      [this.container, this.height, this.show, this.count] = [container, height, show, 0];
      this.space = el("div", {class: "rows", role: "presentation"});
      container.append(this.space);
      container.addEventListener("scroll", () => this.draw(), {passive: true});
      new ResizeObserver(() => this.draw()).observe(container);
    }
    // Makes all rows again.
    reset(count) {
      this.count = count;
      this.space.style.height = `${count * this.height}px`;
      this.drawn = null;
      this.draw();
    }
    draw() {
      const first = Math.max(0, Math.floor(this.container.scrollTop / this.height) - 4);
      const last = Math.min(this.count, first + Math.ceil(this.container.clientHeight / this.height) + 9);
      if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
      this.drawn = [first, last];
      const rows = [];
      for (let i = first; i < last; ++i) {
        const row = this.show(i);
        row.style.top = `${i * this.height}px`;
        row.style.height = `${this.height}px`;
        rows.push(row);
      }
      this.space.replaceChildren(...rows);
    }
    // Scrolls just far enough to make the row visible.
    reveal(i) {
      const top = i * this.height, bottom = top + this.height, box = this.container;
      if (top < box.scrollTop)
        box.scrollTop = top;
      else if (bottom > box.scrollTop + box.clientHeight)
        box.scrollTop = bottom - box.clientHeight;
    }
  }

  // Columns side by side, of which only the visible ones are in the page.
  class VirtualStrip {
    constructor(container, width, height, show) {
      [this.container, this.width, this.show, this.count] = [container, width, show, 0];
      this.space = el("div", {class: "columns", role: "presentation"});
      this.space.style.height = `${height}px`;
      container.append(this.space);
      container.addEventListener("scroll", () => this.draw(), {passive: true});
      new ResizeObserver(() => this.draw()).observe(container);
    }
    reset(count) {
      this.count = count;
      this.space.style.width = `${count * this.width}px`;
      this.drawn = null;
      this.draw();
    }
    draw() {
      const first = Math.max(0, Math.floor(this.container.scrollLeft / this.width) - 4);
      const last = Math.min(this.count, first + Math.ceil(this.container.clientWidth / this.width) + 9);
      if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
      this.drawn = [first, last];
      const columns = [];
      for (let i = first; i < last; ++i) {
        const column = this.show(i);
        column.style.left = `${i * this.width}px`;
        column.style.width = `${this.width}px`;
        columns.push(column);
      }
      this.space.replaceChildren(...columns);
    }
    reveal(i) {
      const left = i * this.width, right = left + this.width, box = this.container;
      if (left < box.scrollLeft)
        box.scrollLeft = left;
      else if (right > box.scrollLeft + box.clientWidth)
        box.scrollLeft = right - box.clientWidth;
    }
  }

  Object.assign(window.strata, {VirtualList, VirtualStrip});
})();

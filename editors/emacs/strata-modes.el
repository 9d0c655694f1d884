;;; strata-modes.el --- Murphi and DVE models, with Strata's language server -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Modes for models of Murphi (.murphi) and DVE (.dve): colours, comments, and `strata lsp' through Eglot.
;; Files that end in .m belong to other modes too: use M-x murphi-mode, or
;;   (add-to-list 'auto-mode-alist '("\\.m\\'" . murphi-mode))

;;; Code:

(defconst murphi--words
  '("alias" "assert" "assume" "begin" "by" "case" "choose" "clear" "const" "cover" "do" "else" "elsif" "end"
    "endalias" "endchoose" "endexists" "endfor" "endforall" "endfunction" "endif" "endprocedure" "endrecord" "endrule"
    "endruleset" "endstartstate" "endswitch" "endwhile" "error" "exists" "for" "forall" "function" "if" "invariant"
    "ismember" "isundefined" "liveness" "multisetadd" "multisetcount" "multisetremove" "multisetremovepred" "procedure"
    "put" "return" "rule" "ruleset" "startstate" "switch" "then" "to" "type" "undefine" "var" "while"))

(defconst murphi--types '("array" "boolean" "enum" "multiset" "of" "record" "scalarset" "union"))

(defvar murphi-font-lock-keywords
  `((,(regexp-opt murphi--words 'words) . font-lock-keyword-face)
    (,(regexp-opt murphi--types 'words) . font-lock-type-face)
    (,(regexp-opt '("true" "false" "undefined") 'words) . font-lock-constant-face)))

(defvar murphi-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12b" table)
    (modify-syntax-entry ?/ ". 14" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

;;;###autoload
(define-derived-mode murphi-mode prog-mode "Murphi"
  "Mode for models of Murphi."
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(murphi-font-lock-keywords nil t)))

(defvar dve-font-lock-keywords
  `((,(regexp-opt '("accept" "and" "assert" "async" "commit" "effect" "expression" "guard" "imply" "init" "ltl" "not"
                    "or" "process" "property" "state" "sync" "system" "trans")
                  'words)
     . font-lock-keyword-face)
    (,(regexp-opt '("byte" "channel" "const" "int") 'words) . font-lock-type-face)
    (,(regexp-opt '("true" "false") 'words) . font-lock-constant-face)))

(defvar dve-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

;;;###autoload
(define-derived-mode dve-mode prog-mode "DVE"
  "Mode for models of DVE."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(dve-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.murphi\\'" . murphi-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.dve\\'" . dve-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((murphi-mode dve-mode) . ("strata" "lsp"))))

(provide 'strata-modes)

;;; strata-modes.el ends here

"""Runs with checkpoints that are killed at random moments, again and again, and resumed.

    python3 kills.py --strata PATH [--count N] [--seed S] [--only ALGORITHM]

Each search that can be resumed (trait `resumable`), on questions whose answers are known from a run that nothing
ends. A run is killed (SIGKILL) up to six times, also while it resumes, and goes on with half or twice the memory
and other threads, until it ends by itself: the answer must be the same, and nothing may be left. --count is the
number of kills."""

import argparse
import random
import signal
import sys

import attack
import kept_runs

MOST_KILLS = 6


def further_options(world, algorithm, choose):
    """Options that change where and how the search goes, and nothing of its answer."""
    extra = []
    if "ram" in algorithm.parameters and choose.random() < 0.6:
        extra += ["--set", f"ram={choose.choice(['0', '0.01'])}"]
    if choose.random() < 0.3:
        extra += ["--disk", str(world.folder / "disk")]
    return tuple(extra)


def other_memory(algorithm, choose):
    return max(16, int(algorithm.memory() * choose.choice([0.5, 1, 2])))


def kill_one(world, run, references, choose, what):
    """A run from its beginning to its end; how often it was killed."""
    reference = references.of(run)
    kills, memory, threads = 0, None, choose.choice([1, 2])
    for _ in range(60):
        command = run.next_command(memory, threads)
        seconds = choose.uniform(0, 1.2) * reference[2] if kills < MOST_KILLS else 300
        if run.strike(command, seconds, signal.SIGKILL):
            kills += 1
            world.expect(kills <= MOST_KILLS, f"{what}: it does not end")
            if kills > MOST_KILLS:
                break
        elif run.answer().get("stop") == "memory" and reference[1]["stop"] != "memory":
            # Too little to go on with; an error that was found before is told all the same.
            memory = 2 * (memory or run.algorithm.memory())
            continue
        else:
            kept_runs.expect_same(world, run, reference, what)
            break
        memory, threads = other_memory(run.algorithm, choose), choose.choice([1, 2, 3])
    return kills


def kill(world, arguments):
    choose = random.Random(arguments.seed)
    algorithms = kept_runs.resumable_algorithms(world)
    if arguments.only:
        algorithms = [algorithm for algorithm in algorithms if algorithm.name == arguments.only]
    world.expect(algorithms, "no algorithm can be resumed")
    questions = kept_runs.questions(world)
    references = kept_runs.References(world)
    kills = runs = resumed = 0
    while kills < arguments.count and algorithms and len(world.problems) < 10:
        algorithm = algorithms[runs % len(algorithms)]
        question = choose.choice([question for question in questions if algorithm.answers(question)])
        run = kept_runs.KeptRun(world, algorithm, question, f"run{runs}", further_options(world, algorithm, choose))
        what = f"{algorithm.name} {question.name} {' '.join(run.extra)} (run {runs} of --seed {arguments.seed})"
        before = len(world.problems)
        kills += kill_one(world, run, references, choose, what)
        runs += 1
        resumed += run.answer().get("resumed", 0)
        if len(world.problems) > before:
            print(f"{what}: {world.problems[before]}", flush=True)
    world.expect_clean("all kills")
    # Where a run is killed is chance, and depends on the pace of the machine.
    least = kills // 10 if kills >= 100 else 0
    world.expect(resumed > least, f"{kills} kills, and only {resumed} times a checkpoint stood")
    print(f"{runs} runs, {kills} kills, resumed {resumed} times from a checkpoint")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="an algorithm")
    arguments = parser.parse_args()
    return attack.in_world(arguments.strata, [("kills", lambda world: kill(world, arguments))])


if __name__ == "__main__":
    sys.exit(main())

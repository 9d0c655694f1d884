#!/bin/bash
#SBATCH --job-name=strata
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@600
#
# For a search of a week on a cluster whose jobs may take a day: each job continues where the previous one ended, and
# the last one has the verdict.
#
#   examples/long_run.sh MODEL [OPTIONS OF strata check]                    one job after another, here
#   NEXT=sbatch SCRIPT=$PWD/long_run.sh sbatch long_run.sh MODEL ...        each job submits the next one
#
# RUN is the folder of the run, on a disk that all jobs can reach (the report is beside it, RUN.json); LIMIT is the
# seconds that a job searches: a day less some minutes, for the last checkpoint; STRATA is the program. If a job is lost
# (its machine failed, or it was killed), call the script again by hand: it continues from the last checkpoint.
set -u

run=${RUN:-$PWD/strata-run}
limit=${LIMIT:-85200}
strata=${STRATA:-strata}
script=${SCRIPT:-$0}

number() { grep -s '^number:' "$run/checkpoint"; }

before=$(number)
if [ -e "$run/checkpoint" ]; then
  "$strata" resume "$run" --time-limit "$limit"
else
  "$strata" check "$@" --checkpoint "$run" --time-limit "$limit" --json "$run.json"
fi
code=$?

# Continue at once only if the job's time limit ended it: not if the disk is full or somebody stopped it.
if [ $code -eq 152 ] && grep -q '"stop": "time"' "$run.json"; then
  if [ "$(number)" = "$before" ]; then
    echo "$script: a job of $limit seconds makes no checkpoint; raise LIMIT" >&2
    exit $code
  fi
  ${NEXT:-exec bash} "$script" "$@"
  exit
fi
exit $code

#!/bin/bash
#SBATCH --job-name=strata
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@600
#
# A search that takes a week, where a job may take a day: each job goes on where the one before it ended, and the
# last one has the verdict.
#
#   examples/long_run.sh MODEL [OPTIONS OF strata check]                    one job after another, here
#   NEXT=sbatch SCRIPT=$PWD/long_run.sh sbatch long_run.sh MODEL ...        each job submits the next one
#
# RUN is the folder of the run, on a disk that all jobs see (the report is beside it, RUN.json); LIMIT the seconds
# that a job searches: a day less some minutes, for the last checkpoint; STRATA the program. A job that was lost,
# with its machine or by a kill, is called again by hand: it goes on from the last checkpoint.
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

# Only the limit of the job is a reason to go on at once: a full disk is not, nor is somebody who ended it.
if [ $code -eq 152 ] && grep -q '"stop": "time"' "$run.json"; then
  if [ "$(number)" = "$before" ]; then
    echo "$script: a job of $limit seconds makes no checkpoint; raise LIMIT" >&2
    exit $code
  fi
  ${NEXT:-exec bash} "$script" "$@"
  exit
fi
exit $code

#!/usr/bin/env bash
# Races agents and decides whether they may replace the accepted run: a gate for pull requests, in any CI.
#
# Reads, besides AGENTCLASH_API_URL, AGENTCLASH_TOKEN and AGENTCLASH_WORKSPACE:
#   PACK               the slug of the challenge pack, or PACK_FILE to publish one first
#   DEPLOYMENTS        the agents to race, names apart by blanks or lines
#   DEPLOYMENT_FILE    makes or revises deployments first
#   PACK_VERSION, INPUT_SET, REPETITIONS, RUN_NAME
#   BASELINE           the name of the baseline, default: default
#   POLICY             the gate policy, default: the one named default, else the built-in one
#   AGENT, BASELINE_AGENT  the lanes to compare, where runs have several
#   UPDATE_BASELINE    true: a run that passes becomes the baseline, and so does the first one; for the main branch
#   REPORTS            a folder for the reports, default: agentclash-reports
#   AGENTCLASH         the command, default: agentclash
#
# Writes into $REPORTS: attempts.xml and gate.xml (JUnit), summary.md, run-id, verdict.
#
# Ends with 0 pass, 1 fail or a failed run, 2 warn, 3 insufficient evidence, as `agentclash gate` does; anything else is
# an error of the set-up: 64 wrong settings, 66 something is not there, 69 no server, 75 try again, 77 no access.
set -euo pipefail

read -ra agentclash <<<"${AGENTCLASH:-agentclash}"
baseline=${BASELINE:-default}
reports=${REPORTS:-agentclash-reports}
mkdir -p "$reports"
rm -f "$reports"/{attempts.xml,gate.xml,summary.md,run-id,verdict}

# The command never prompts: a CI job has no terminal.
clash() { "${agentclash[@]}" "$@" --non-interactive; }

# A member of the JSON document on standard input, by its path.
member() {
  node -p 'process.argv[1].split(".").reduce((value, key) => value[key], JSON.parse(require("fs").readFileSync(0, "utf8")))' "$1"
}

end() {
  echo "$1" >"$reports/verdict"
  echo "verdict: $1" >&2
  exit "$2"
}

version=""
if [ -n "${PACK_FILE:-}" ]; then
  # Once for people, once for what follows: repeating it changes nothing.
  clash challenge-pack publish "$PACK_FILE" >&2
  version=$(clash challenge-pack publish "$PACK_FILE" --json | member version_number)
  if [ -z "${PACK:-}" ]; then PACK=$(clash challenge-pack validate "$PACK_FILE" --json | member summary.slug); fi
fi
if [ -n "${DEPLOYMENT_FILE:-}" ]; then clash apply -f "$DEPLOYMENT_FILE" >&2; fi

start=(run start --pack "${PACK:?name a pack with PACK or PACK_FILE}")
version=${PACK_VERSION:-$version}
if [ -n "$version" ]; then start+=(--pack-version "$version"); fi
if [ -n "${INPUT_SET:-}" ]; then start+=(--input-set "$INPUT_SET"); fi
if [ -n "${REPETITIONS:-}" ]; then start+=(--repetitions "$REPETITIONS"); fi
if [ -n "${RUN_NAME:-}" ]; then start+=(--name "$RUN_NAME"); fi
read -ra deployments -d '' <<<"${DEPLOYMENTS:?name the agents with DEPLOYMENTS}" || true
start+=(--deployment "${deployments[@]}")

started=$(clash "${start[@]}")
# By its whole id: its number counts in its workspace alone.
run=$(clash run show "$(awk '{ print $2; exit }' <<<"$started")" --json | member id)
echo "$run" >"$reports/run-id"
echo "run: $run" >&2

code=0
clash run show "$run" --follow || code=$?
# An agent with too few graded attempts ends a followed run with 3: the gate decides, and reports the reason.
if [ "$code" -eq 3 ]; then code=0; fi
# The scores are worth reading whatever the result of the run.
clash eval scorecard "$run" --junit "$reports/attempts.xml" --markdown "$reports/summary.md" >/dev/null || true
if [ "$code" -ne 0 ]; then end "$([ "$code" -eq 1 ] && echo run_failed || echo unknown)" "$code"; fi

gate=(gate "$run" --baseline "$baseline" --junit "$reports/gate.xml" --markdown "$reports/gate.md")
if [ -n "${POLICY:-}" ]; then gate+=(--policy "$POLICY"); fi
if [ -n "${AGENT:-}" ]; then gate+=(--agent "$AGENT"); fi
if [ -n "${BASELINE_AGENT:-}" ]; then gate+=(--baseline-agent "$BASELINE_AGENT"); fi

accept() {
  clash baseline set "$run" --yes --name "$baseline" ${AGENT:+--agent "$AGENT"} >&2
}

if [ "${UPDATE_BASELINE:-false}" = true ]; then
  clash baseline show "$baseline" --run "$run" >/dev/null 2>&1 || code=$?
  # The first run that the main branch makes has nothing to be compared with.
  if [ "$code" -eq 66 ]; then
    accept
    end first_baseline 0
  fi
  code=0
fi

clash "${gate[@]}" || code=$?
if [ -f "$reports/gate.md" ]; then
  { cat "$reports/gate.md" && echo && cat "$reports/summary.md"; } >"$reports/both.md"
  mv "$reports/both.md" "$reports/summary.md"
  rm "$reports/gate.md"
fi
case $code in
0)
  if [ "${UPDATE_BASELINE:-false}" = true ]; then accept; fi
  end pass 0
  ;;
1) end fail 1 ;;
2) end warn 2 ;;
3) end insufficient_evidence 3 ;;
*) end unknown "$code" ;;
esac

# For lanes written in bash: write_record <lane> <verdict> <figures, a JSON object> [seed…]
# writes proof/records/<lane>.json. Stands in the project's root folder.

machine_memory() {
  awk '/^MemTotal/ {printf "%d", $2 / 1024}' /proc/meminfo 2>/dev/null || echo 0
}

write_record() {
  local lane=$1 verdict=$2 figures=$3 seeds
  shift 3
  seeds=$(printf '%s, ' "$@")
  mkdir -p proof/records
  cat >"proof/records/$lane.json" <<JSON
{
  "lane": "$lane",
  "commit": "$(git rev-parse HEAD)$(git diff --quiet HEAD -- . ':!proof/records' || echo -dirty)",
  "date": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "machine": {
    "system": "$(uname -sm)",
    "cores": $(getconf _NPROCESSORS_ONLN),
    "memoryMiB": $(machine_memory)
  },
  "figures": $figures,
  "seeds": [${seeds%, }],
  "verdict": "$verdict"
}
JSON
  echo "wrote proof/records/$lane.json: $verdict"
}

# The seed of the order of tests that a build printed.
seed_of() {
  { grep -om1 'test\.seed=-\?[0-9]\+' "$1" || echo test.seed=null; } | cut -d= -f2
}

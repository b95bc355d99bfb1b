#!/usr/bin/env bash
# scripts/style.sh [--fix]: every C and C++ file is formatted as .clang-format says (or becomes so), and clang-tidy is content with it.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH

mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cc')
if [ "${1:-}" = --fix ]; then
  clang-format-19 -i "${files[@]}"
  exit
fi
echo '--- clang-format'
clang-format-19 --dry-run -Werror "${files[@]}"
echo '--- clang-tidy'
/usr/bin/python3 scripts/tidy.py --seconds 30

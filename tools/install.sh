#!/bin/sh
# Installs the packages of tools/packages.txt that are missing, by apt, as root or with sudo.
set -eu
here=$(dirname "$0")

missing=""
for package in $(sed 's/#.*//' "$here/packages.txt"); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null; then
    as_root="sudo"
else
    echo "ujoule: missing packages, and neither root nor sudo to install them; ask for:$missing" >&2
    exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
if ! $as_root apt-get -qq update || ! $as_root apt-get -qq install -y --no-install-recommends $missing >/dev/null; then
    echo "ujoule: apt-get could not install:$missing" >&2
    exit 1
fi

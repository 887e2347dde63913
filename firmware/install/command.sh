#!/bin/sh
# As root this becomes the tray's own user, so that what it finds, reads and writes is what the tray does.
program=/opt/stickman/current/bin/stickman
if [ "$(id -u)" = 0 ]; then
  exec setpriv --reuid stickman --regid stickman --init-groups \
    --inh-caps +net_bind_service --ambient-caps +net_bind_service \
    env HOME=/var/lib/stickman STATE_DIRECTORY=/var/lib/stickman "$program" "$@"
fi
exec "$program" "$@"

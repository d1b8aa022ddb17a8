#!/bin/sh
# Prints Alertmanager's configuration, which it cannot take from the environment by itself. To tell of
# alerts in another way, let it print another one.
set -eu
: "${ALERTS_TO:?Set it in .env to the address that is told of alerts.}"
: "${ALERTS_SMTP:?Set it in .env to host:port of the server that takes the mails.}"

if [ "$NODE_ENV" = production ] && [ "$ALERTS_SMTP" = mailbox:1025 ]; then
  echo 'ALERTS_SMTP: Set it in .env to host:port of a mail server; the mailbox is a stand-in.' >&2
  exit 1
fi

# A value in single quotes, as YAML wants it.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }

# A password never goes over the network in the clear: STARTTLS is demanded, but on 465, where all is TLS
# from the first byte.
case "$ALERTS_SMTP_USER $ALERTS_SMTP" in
  ' '* | *:465) starttls=false ;;
  *) starttls=true ;;
esac

cat <<END
global:
  smtp_smarthost: $(quoted "$ALERTS_SMTP")
  smtp_from: $(quoted "$ALERTS_FROM")
  smtp_auth_username: $(quoted "$ALERTS_SMTP_USER")
  smtp_auth_password: $(quoted "$ALERTS_SMTP_PASSWORD")
  smtp_require_tls: $starttls

route:
  receiver: mail
  # What one cause brings about stands in one mail.
  group_by: [severity]
  group_wait: 15s
  group_interval: 2m
  repeat_interval: 12h
  routes:
    - matchers: ['severity = critical']
      repeat_interval: 1h

# What follows from another alert needs no mail of its own.
inhibit_rules:
  - source_matchers: ['alertname =~ "DatabaseAway|RedisAway|NoWorker"']
    target_matchers: ['alertname =~ "CanaryLate|OutboxOld|QueueOld|BackgroundWorkOld"']

receivers:
  - name: mail
    email_configs:
      - to: $(quoted "$ALERTS_TO")
        send_resolved: true
        headers:
          Subject: >-
            {{ if eq .Status "firing" }}{{ .CommonLabels.severity | toUpper }}{{ else }}OVER{{ end }}:
            {{ with .Alerts.Firing }}{{ (index . 0).Labels.alertname }}{{ if gt (len .) 1 }}, {{ len . }} alerts in all{{ end
            }}{{ else }}{{ (index .Alerts 0).Labels.alertname }}{{ end }}
        html: ''
        text: |
          {{ range .Alerts }}{{ if eq .Status "resolved" }}Over: {{ end }}{{ .Labels.alertname }}
          {{ .Annotations.summary }}
          Since {{ .StartsAt.UTC.Format "2 January 15:04" }} UTC. What to do: {{ .Annotations.runbook }}

          {{ end }}
END

#!/bin/sh
# Prints Alertmanager's configuration, because Alertmanager cannot read settings from the environment. To send
# alerts by another channel, change what it prints.
set -eu
: "${ALERTS_TO:?Set it in .env to the address that receives alerts.}"
: "${ALERTS_SMTP:?Set it in .env to host:port of the mail server.}"

if [ "$NODE_ENV" = production ] && [ "$ALERTS_SMTP" = mailbox:1025 ]; then
  echo 'ALERTS_SMTP: Set it in .env to host:port of a mail server; the mailbox is a stand-in.' >&2
  exit 1
fi

# Quotes a value for YAML, in single quotes.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }

# Never sends a password in clear text: requires STARTTLS, except on port 465, which uses TLS from the first
# byte.
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
  # Groups alerts with one cause into one mail.
  group_by: [severity]
  group_wait: 15s
  group_interval: 2m
  repeat_interval: 12h
  routes:
    - matchers: ['severity = critical']
      repeat_interval: 1h

# Suppresses alerts that follow from another one.
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

#!/bin/sh
# Prints Alertmanager's configuration, because Alertmanager cannot read settings from the environment.
set -eu
: "${ALERTS_TO:?Set it in .env to where alerts go: mail addresses, or https:// addresses of webhooks.}"

# Quotes a value for YAML, in single quotes.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }

mails= slacks= webhooks=
for receiver in $(printf '%s' "$ALERTS_TO" | tr ',' ' '); do
  case $receiver in
    https://hooks.slack.com/*) slacks="$slacks $receiver" ;;
    https://* | http://*) webhooks="$webhooks $receiver" ;;
    *@*) mails="${mails:+$mails, }$receiver" ;;
    *)
      echo "ALERTS_TO: $receiver is neither a mail address nor an https:// address of a webhook." >&2
      exit 1
      ;;
  esac
done

if [ -n "$mails" ]; then
  : "${ALERTS_SMTP:?Set it in .env to host:port of the mail server.}"
fi
if [ "$NODE_ENV" = production ] && [ "$ALERTS_SMTP" = mailbox:1025 ]; then
  echo 'ALERTS_SMTP: Set it in .env to host:port of a mail server; the mailbox is a stand-in.' >&2
  exit 1
fi

# Never sends a password in clear text: requires STARTTLS, except on port 465, which uses TLS from the first
# byte.
case "$ALERTS_SMTP_USER $ALERTS_SMTP" in
  ' '* | *:465) starttls=false ;;
  *) starttls=true ;;
esac

[ -z "$mails" ] || cat <<END
global:
  smtp_smarthost: $(quoted "$ALERTS_SMTP")
  smtp_from: $(quoted "$ALERTS_FROM")
  smtp_auth_username: $(quoted "$ALERTS_SMTP_USER")
  smtp_auth_password: $(quoted "$ALERTS_SMTP_PASSWORD")
  smtp_require_tls: $starttls
END

cat <<END
route:
  receiver: operators
  # Groups alerts with one cause into one message.
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
  - name: operators
END

title='{{ if eq .Status "firing" }}{{ .CommonLabels.severity | toUpper }}{{ else }}OVER{{ end }}:
            {{ with .Alerts.Firing }}{{ (index . 0).Labels.alertname }}{{ if gt (len .) 1 }}, {{ len . }} alerts in all{{ end
            }}{{ else }}{{ (index .Alerts 0).Labels.alertname }}{{ end }}'
text='{{ range .Alerts }}{{ if eq .Status "resolved" }}Over: {{ end }}{{ .Labels.alertname }}
          {{ .Annotations.summary }}
          Since {{ .StartsAt.UTC.Format "2 January 15:04" }} UTC. What to do: {{ .Annotations.runbook }}

          {{ end }}'

[ -z "$mails" ] || cat <<END
    email_configs:
      - to: $(quoted "$mails")
        send_resolved: true
        headers:
          Subject: >-
            $title
        html: ''
        text: |
          $text
END

[ -z "$slacks" ] || echo '    slack_configs:'
for url in $slacks; do
  cat <<END
      - api_url: $(quoted "$url")
        send_resolved: true
        title: >-
            $title
        text: |
          $text
END
done

[ -z "$webhooks" ] || echo '    webhook_configs:'
for url in $webhooks; do
  cat <<END
      - url: $(quoted "$url")
        send_resolved: true
END
done

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEPLOY } from './expressions.ts';
import { hasProgram } from './prometheus.ts';

const SCRIPT = `${DEPLOY}alertmanager/configuration.sh`;
const LOCAL = {
  ALERTS_TO: 'admin@example.no, operator@example.no',
  ALERTS_FROM: 'kontakt@example.no',
  ALERTS_SMTP: 'mailbox:1025',
  ALERTS_SMTP_USER: '',
  ALERTS_SMTP_PASSWORD: '',
  NODE_ENV: 'development',
};

const print = (environment: Record<string, string>) =>
  execFileSync('sh', [SCRIPT], { env: environment, encoding: 'utf8', stdio: 'pipe' });

test('alerts go by mail to every address in ALERTS_TO', () => {
  const { global, route, receivers } = parse(print(LOCAL));
  expect(global).toMatchObject({ smtp_smarthost: 'mailbox:1025', smtp_require_tls: false });
  expect(route.receiver).toBe(receivers[0].name);
  expect(receivers[0].email_configs[0].to).toBe(LOCAL.ALERTS_TO);
});

test('alerts go to Slack, to webhooks and to mail at once', () => {
  const slack = 'https://hooks.slack.com/services/T0/B0/x';
  const ntfy = 'https://ntfy.example.no/alerts?template=alertmanager';
  const [receiver] = parse(
    print({ ...LOCAL, ALERTS_TO: `${slack}, operator@example.no,${ntfy}` }),
  ).receivers;
  expect(receiver.email_configs[0].to).toBe('operator@example.no');
  expect(receiver.slack_configs).toMatchObject([{ api_url: slack, send_resolved: true }]);
  expect(receiver.webhook_configs).toEqual([{ url: ntfy, send_resolved: true }]);
});

test('a webhook alone needs no mail server', () => {
  const { global, receivers } = parse(
    print({ ...LOCAL, ALERTS_TO: 'https://ntfy.example.no/alerts', ALERTS_SMTP: '' }),
  );
  expect(global).toBeUndefined();
  expect(receivers[0].email_configs).toBeUndefined();
});

test('a receiver that is neither address nor webhook is refused', () => {
  expect(() => print({ ...LOCAL, ALERTS_TO: 'admin@example.no, operator' })).toThrow(
    /operator is neither a mail address nor/u,
  );
});

test('a password is passed on verbatim, and sent over TLS only', () => {
  const password = `it's "$HOME" \\ \`id\` %41`;
  const { global } = parse(
    print({ ...LOCAL, ALERTS_SMTP_USER: 'alerts', ALERTS_SMTP_PASSWORD: password }),
  );
  expect(global).toMatchObject({ smtp_auth_password: password, smtp_require_tls: true });
});

test('port 465 uses TLS from the start, without STARTTLS', () => {
  const { global } = parse(
    print({ ...LOCAL, ALERTS_SMTP: 'smtp.example.no:465', ALERTS_SMTP_USER: 'alerts' }),
  );
  expect(global.smtp_require_tls).toBe(false);
});

test('production refuses the local mailbox', () => {
  expect(() => print({ ...LOCAL, NODE_ENV: 'production' })).toThrow(/ALERTS_SMTP: Set it/u);
});

test.each(['ALERTS_TO', 'ALERTS_SMTP'])('without %s the script says what to do', (name) => {
  expect(() => print({ ...LOCAL, [name]: '' })).toThrow(new RegExp(`${name}: Set it in .env`, 'u'));
});

test.skipIf(!hasProgram('amtool'))(
  'Alertmanager accepts the configuration (skipped without amtool)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'proveklar-alerts-'));
    const file = join(folder, 'alertmanager.yml');
    const ALERTS_TO = `${LOCAL.ALERTS_TO}, https://hooks.slack.com/services/T0/B0/x, https://ntfy.example.no/a`;
    writeFileSync(file, print({ ...LOCAL, ALERTS_TO }));
    try {
      expect(execFileSync('amtool', ['check-config', file], { encoding: 'utf8' })).toContain(
        'SUCCESS',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

import {
  checkMailServer,
  domainOf,
  findSenderRecords,
  type MailServerAnswer,
} from '@proveklar/services/mail/send-mail.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import type { Check } from './installation.ts';

/** The SMTP server, and the DNS records by which other servers accept our mail. */
export const mail: Check = {
  name: 'Mail',
  async run({ config, isProduction }) {
    const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
    if (!smtpUrl) return [unchecked('SMTP_URL is not set')];
    const [answer, sender] = await Promise.all([
      checkMailServer({ smtpUrl, requireTls: isProduction }),
      isProduction && from ? checkSender(domainOf(from) ?? '') : [],
    ]);
    return [evaluateServer(answer, new URL(smtpUrl)), ...sender];
  },
};

function evaluateServer(answer: MailServerAnswer, { hostname, port, searchParams }: URL): Finding {
  const server = port ? `${hostname}:${port}` : hostname;
  if (answer.kind === 'refused') {
    return fault(
      `${server} refuses the user and password${answer.code ? ` (SMTP ${answer.code})` : ''}`,
      'Correct the user and the password in SMTP_URL; special characters are percent-encoded.',
    );
  }
  if (answer.kind === 'no_tls') {
    return fault(
      `${server} does not offer valid TLS`,
      'Use smtps:// for a port with implicit TLS (465), or a server with a valid certificate.',
    );
  }
  if (answer.kind === 'away') {
    return fault(
      `${server} does not answer: ${answer.reason}`,
      'Start the mail server (locally npm start does it), or correct SMTP_URL; mails wait meanwhile.',
    );
  }
  if (searchParams.get('requireTLS') !== 'false') return ok(`${server} accepts our mail`);
  return warning(
    `${server} accepts our mail, perhaps unencrypted`,
    'Remove ?requireTLS=false from SMTP_URL unless the network in between is yours.',
  );
}

async function checkSender(domain: string): Promise<Finding[]> {
  const records = await findSenderRecords(domain);
  if (!records) return [unchecked(`the DNS does not answer for ${domain}`)];
  const { mx, spf } = records;
  return [
    mx
      ? ok(`${domain} has an MX record`)
      : warning(
          `${domain} has no MX record: replies and bounces are lost`,
          `Add an MX record for ${domain}, or set MAIL_FROM to an address that receives mail.`,
        ),
    spf
      ? ok(`${domain} has an SPF record`)
      : warning(
          `${domain} has no SPF record: our mails may end as spam`,
          `Add a TXT record v=spf1 … that names the mail server to ${domain}, and DKIM where it offers that.`,
        ),
  ];
}

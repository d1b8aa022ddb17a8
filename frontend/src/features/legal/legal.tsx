import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page, SessionLink } from '#components/page.tsx';
import { useLegalDocument } from './documents.ts';
import type { LegalBlock, LegalDocument, LegalDocumentName } from './legal-document.ts';
import styles from './legal.module.css';
import { SellerDetails } from './seller-details.tsx';

export const PrivacyPage = () => <LegalPage name="privacy" />;
export const TermsPage = () => <LegalPage name="terms" />;
export const CookiesPage = () => <LegalPage name="cookies" />;
export const AccessibilityPage = () => <LegalPage name="accessibility" />;

function LegalPage({ name }: { name: LegalDocumentName }) {
  const document = useLegalDocument(name);
  return (
    <Page title={document.title} width="text" headerActions={<SessionLink />}>
      <LegalText document={document} />
    </Page>
  );
}

/** A document with fewer sections needs no table of contents. */
const MIN_SECTIONS_FOR_CONTENTS = 5;

function LegalText({ document }: { document: LegalDocument }) {
  const { t } = useTranslation();
  const { title, updated, changes, note, intro, sections } = document;
  return (
    <article className={styles.article}>
      <h1>{title}</h1>
      <div className={`muted ${styles.dates}`}>
        <p>{updated}</p>
        {changes.length > 0 && (
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
        {note && <p>{note}</p>}
      </div>
      <p className={styles.intro}>
        <RichText>{intro}</RichText>
      </p>
      {sections.length >= MIN_SECTIONS_FOR_CONTENTS && (
        <nav className={styles.contents} aria-labelledby="contents">
          <h2 id="contents">{t('legal.contents')}</h2>
          <ol>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`} className="ds-link">
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {sections.map((section) => (
        <section key={section.id} className={styles.section} aria-labelledby={section.id}>
          <h2 id={section.id}>{section.title}</h2>
          {section.blocks.map((block, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- The blocks of a text never move.
            <Block key={index} block={block} />
          ))}
        </section>
      ))}
    </article>
  );
}

/** A block of a legal text, below the heading of its section. */
function Block({ block }: { block: LegalBlock }) {
  if (typeof block === 'string') {
    return (
      <p>
        <RichText>{block}</RichText>
      </p>
    );
  }
  if ('seller' in block) return <SellerDetails />;
  if ('list' in block) return <ul className={styles.list}>{itemsOf(block.list)}</ul>;
  if ('steps' in block) return <ol className={styles.list}>{itemsOf(block.steps)}</ol>;
  if ('facts' in block) {
    return block.facts.map(({ title, rows }) => (
      <div key={title} className={styles.facts}>
        <h3>{title}</h3>
        <dl>
          {rows.map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <RichText>{text}</RichText>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    ));
  }
  return <StoredTable {...block} />;
}

function itemsOf(texts: readonly string[]) {
  return texts.map((text) => (
    <li key={text}>
      <RichText>{text}</RichText>
    </li>
  ));
}

type StoredProps = Extract<LegalBlock, { stored: unknown }>;

/** Two columns, so that it fits a phone: the purpose is below the name. */
function StoredTable({ head, stored }: StoredProps) {
  return (
    <table className={styles.stored}>
      <thead>
        <tr>
          {head.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stored.map(([name, purpose, kept]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              <span>{purpose}</span>
            </th>
            <td>{kept}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const LINK = /\[(?<words>[^\]]+)\]\((?<address>[^)]+)\)/;

/** A text of a legal document, with its links. */
function RichText({ children: text }: { children: string }) {
  const link = LINK.exec(text);
  if (!link) return text;
  const { words = '', address = '' } = link.groups ?? {};
  return (
    <>
      {text.slice(0, link.index)}
      <TextLink address={address}>{words}</TextLink>
      <RichText>{text.slice(link.index + link[0].length)}</RichText>
    </>
  );
}

function TextLink({ address, children }: { address: string; children: string }) {
  // Without preloading: its page loads the sign-in code.
  if (address === '/quiz?tab=account') {
    return (
      <Link to="/quiz" search={{ tab: 'account' }} preload={false} className="ds-link">
        {children}
      </Link>
    );
  }
  if (address.startsWith('/')) {
    return (
      <Link to={address} className="ds-link">
        {children}
      </Link>
    );
  }
  return (
    <a href={address} className="ds-link">
      {children}
    </a>
  );
}

import type { LegalBlock } from '../legal-document.ts';
import styles from './block.module.css';
import { RichText } from './rich-text.tsx';
import { SellerDetails } from './seller-details.tsx';

/** One piece of a legal text, below the heading of its section. */
export function Block({ block }: { block: LegalBlock }) {
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

/** Two columns, so that it fits a phone: what a name is for stands below it. */
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

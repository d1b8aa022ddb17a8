import { Link } from '@tanstack/react-router';

const LINK = /\[(?<words>[^\]]+)\]\((?<address>[^)]+)\)/;

/** A text of a legal document, with its links. */
export function RichText({ children: text }: { children: string }) {
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
  // Its page loads the sign-in: not because somebody's pointer passes.
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

import { Page } from '#components/page.tsx';
import { LegalText } from '#features/legal/components/legal-text.tsx';
import { cookies, type LegalDocument, privacy, terms } from '#features/legal/texts.ts';

function LegalRoute({ document }: { document: LegalDocument }) {
  return (
    <Page title={document.title} width="text">
      <LegalText document={document} />
    </Page>
  );
}

export const PrivacyRoute = () => <LegalRoute document={privacy} />;
export const TermsRoute = () => <LegalRoute document={terms} />;
export const CookiesRoute = () => <LegalRoute document={cookies} />;

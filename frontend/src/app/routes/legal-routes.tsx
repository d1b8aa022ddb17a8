import { Page } from '#components/page.tsx';
import { SessionLink } from '#components/session-link.tsx';
import { LegalText } from '#features/legal/components/legal-text.tsx';
import type { LegalDocumentName } from '#features/legal/legal-document.ts';
import { useLegalDocument } from '#features/legal/use-legal-document.ts';

function LegalRoute({ name }: { name: LegalDocumentName }) {
  const document = useLegalDocument(name);
  return (
    <Page title={document.title} width="text" headerActions={<SessionLink />}>
      <LegalText document={document} />
    </Page>
  );
}

export const PrivacyRoute = () => <LegalRoute name="privacy" />;
export const TermsRoute = () => <LegalRoute name="terms" />;
export const CookiesRoute = () => <LegalRoute name="cookies" />;
export const AccessibilityRoute = () => <LegalRoute name="accessibility" />;

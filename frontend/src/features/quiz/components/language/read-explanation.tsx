import { useTranslation } from 'react-i18next';
import { ReadAloudButton } from './read-aloud-button.tsx';
import { useReadAloud } from './use-read-aloud.ts';

export function ReadExplanation({ text, language }: { text: string; language: string }) {
  const { t } = useTranslation('learner');
  const aloud = useReadAloud('explanation', language, () => [{ text, language }]);
  if (!aloud.available) return null;
  return (
    <ReadAloudButton
      label={t('language.read_explanation')}
      reading={aloud.reading}
      onClick={aloud.toggle}
    />
  );
}

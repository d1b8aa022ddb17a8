import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import { useTranslation } from 'react-i18next';
import { chooseLanguage } from '#i18n/choose-language.ts';
import styles from './language-switch.module.css';

// Each language is named in itself: one must be able to find it without reading the other.
const choices: { language: AppLanguage; short: string; name: string }[] = [
  { language: 'no', short: 'NO', name: 'Norsk' },
  { language: 'en', short: 'EN', name: 'English' },
];

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <div role="group" aria-label={t('app.language')} className={styles.group}>
      {choices.map(({ language, short, name }) => (
        <button
          key={language}
          type="button"
          className={styles.choice}
          lang={languageTag(language)}
          aria-label={`${short} – ${name}`}
          aria-pressed={i18n.resolvedLanguage === language}
          onClick={() => void chooseLanguage(language)}
        >
          {short}
        </button>
      ))}
    </div>
  );
}

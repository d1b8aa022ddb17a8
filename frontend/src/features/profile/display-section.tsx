import { ToggleGroup } from '@digdir/designsystemet-react';
import { languages, languageTag } from '@proveklar/contract/language.ts';
import {
  COLOUR_SCHEME_COOKIE,
  type ColourScheme,
  colourSchemes,
  themeColour,
  toColourScheme,
} from '@proveklar/contract/page.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/layout.tsx';
import { chooseLanguage } from '#i18n/choose-language.ts';
import { currentLanguage } from '#i18n/i18n.ts';
import { keepCookie } from '#lib/cookies.ts';
import styles from './profile.module.css';

/** Each language named in itself, so that it can be found without knowing the other. */
const NAMES = { no: 'Norsk', en: 'English' } as const;

/** The settings for the language of pages and mails, and for the colour scheme. */
export function DisplaySection() {
  const { t } = useTranslation(['learner', 'translation']);
  const shown = currentLanguage();

  function choose(value: string) {
    const language = languages.find((one) => one === value);
    if (language && language !== shown) void chooseLanguage(language);
  }

  return (
    <FormCard>
      <div className={styles.parts}>
        <h2>{t('display.title')}</h2>
        <div className={styles.part}>
          <h3>{t('translation:app.language')}</h3>
          <ToggleGroup
            value={shown}
            onChange={choose}
            data-toggle-group={t('translation:app.language')}
          >
            {languages.map((language) => (
              <ToggleGroup.Item key={language} value={language} lang={languageTag(language)}>
                {NAMES[language]}
              </ToggleGroup.Item>
            ))}
          </ToggleGroup>
          <p className="muted">{t('profile.language_hint')}</p>
        </div>
        <div className={styles.part}>
          <h3>{t('display.colours')}</h3>
          <ColourSchemeChoice />
        </div>
      </div>
    </FormCard>
  );
}

/** The choice of light, dark, or the device's colour scheme. */
function ColourSchemeChoice() {
  const { t } = useTranslation('learner');
  const [scheme, setScheme] = useState(shownColourScheme);

  function choose(value: string) {
    const chosen = toColourScheme(value);
    setScheme(chosen);
    chooseColourScheme(chosen);
  }

  return (
    <ToggleGroup
      className={styles.choices}
      value={scheme}
      onChange={choose}
      data-toggle-group={t('display.colours')}
    >
      {colourSchemes.map((choice) => (
        <ToggleGroup.Item key={choice} value={choice}>
          {t(`display.${choice}`)}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup>
  );
}

const ONE_YEAR_S = 365 * 24 * 3600;

/** The current colour scheme, which the gateway writes into the page by the stored choice. */
function shownColourScheme(): ColourScheme {
  return toColourScheme(document.documentElement.dataset.colorScheme);
}

/** Applies a colour scheme to this page, and stores it for later ones. */
function chooseColourScheme(scheme: ColourScheme): void {
  keepCookie(COLOUR_SCHEME_COOKIE, scheme, scheme === 'auto' ? 0 : ONE_YEAR_S);
  showColourScheme(scheme);
}

function showColourScheme(scheme: ColourScheme): void {
  document.documentElement.dataset.colorScheme = scheme;
  for (const device of ['light', 'dark'] as const) {
    document
      .querySelector(`meta[name="theme-color"][media*="${device}"]`)
      ?.setAttribute('content', themeColour(scheme, device));
  }
}

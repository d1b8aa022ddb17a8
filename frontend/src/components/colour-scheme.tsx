import { ToggleGroup } from '@digdir/designsystemet-react';
import { colourSchemes, toColourScheme } from '@proveklar/contract/page.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseColourScheme, shownColourScheme } from '#lib/colour-scheme.ts';
import styles from './colour-scheme.module.css';

/** Light or dark, or as the device has it. */
export function ColourSchemeChoice() {
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

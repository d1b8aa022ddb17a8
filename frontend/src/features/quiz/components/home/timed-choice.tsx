import { Fieldset, Radio } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

type TimedChoiceProps = {
  timed: boolean;
  onChange: (timed: boolean) => void;
};

/** With the clock of the real test, or without: not everybody can keep to a time. */
export function TimedChoice({ timed, onChange }: TimedChoiceProps) {
  const { t } = useTranslation('learner');
  return (
    <Fieldset>
      <Fieldset.Legend>{t('practice.time')}</Fieldset.Legend>
      <Radio
        name="timed"
        value="on"
        label={t('practice.timed')}
        description={t('practice.timed_hint')}
        checked={timed}
        onChange={() => onChange(true)}
      />
      <Radio
        name="timed"
        value="off"
        label={t('practice.untimed')}
        description={t('practice.untimed_hint')}
        checked={!timed}
        onChange={() => onChange(false)}
      />
    </Fieldset>
  );
}

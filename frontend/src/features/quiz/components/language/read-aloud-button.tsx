import { Button } from '@digdir/designsystemet-react';
import { SpeakerSoundWave2Icon, StopFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import styles from './language.module.css';

type ReadAloudButtonProps = { label: string; reading: boolean; onClick: () => void };

export function ReadAloudButton({ label, reading, onClick }: ReadAloudButtonProps) {
  const { t } = useTranslation('learner');
  const Icon = reading ? StopFillIcon : SpeakerSoundWave2Icon;
  return (
    <Button variant="tertiary" data-size="sm" className={styles.button} onClick={onClick}>
      <Icon aria-hidden />
      {reading ? t('language.stop') : label}
    </Button>
  );
}

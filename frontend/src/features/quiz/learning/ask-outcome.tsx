import { Button } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { Cluster, Stack } from '#components/layout.tsx';
import { useErrorText } from '#lib/error-text.ts';
import home from '../home.module.css';
import { useAnswerOutcome } from './api.ts';

/** Asks once, after the exam date, how the exam went. The thanks are gone at the next visit. */
export function AskOutcome({ asked }: { asked: boolean }) {
  const { t } = useTranslation('learner');
  const errorText = useErrorText();
  const { mutate, isPending, isSuccess, error, variables: passed } = useAnswerOutcome();
  const thanks = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isSuccess) thanks.current?.focus();
  }, [isSuccess]);
  if (isSuccess) {
    return (
      <p ref={thanks} tabIndex={-1} className={`${home.open} ${home.focused}`}>
        {t(
          `learning.outcome.thanks${passed === true ? '_passed' : passed === false ? '_failed' : ''}`,
        )}
      </p>
    );
  }
  if (!asked) return null;
  return (
    <section className={home.open} aria-labelledby="outcome-title">
      <Stack gap={3}>
        <h2 id="outcome-title">{t('learning.outcome.title')}</h2>
        <p>{t('learning.outcome.text')}</p>
        <FormAlert>{error && errorText(error)}</FormAlert>
        <Cluster gap={3}>
          {([true, false, null] as const).map((answer) => (
            <Button
              key={String(answer)}
              variant={answer === null ? 'tertiary' : 'secondary'}
              disabled={isPending}
              onClick={() => mutate(answer)}
            >
              {t(`learning.outcome.${answer === null ? 'skip' : answer ? 'yes' : 'no'}`)}
            </Button>
          ))}
        </Cluster>
      </Stack>
    </section>
  );
}

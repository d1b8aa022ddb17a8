import type { ExamProfile, ExamProfileRequest } from '@proveklar/contract/settings.ts';
import { Button, Textfield } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import { notify } from '#components/admin/notify.ts';
import { DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { settingsKeys, updateExamProfile } from '../../api.ts';
import {
  EXAM_NUMBERS,
  type ExamField,
  examTexts,
  readExam,
  todayInNorway,
} from '../../exam-figures.ts';
import styles from './exams.module.css';

type ExamFormProps = { profile: ExamProfile; onDone: () => void };

/** The figures of a practice test, and where and when they were found. */
export function ExamForm({ profile, onDone }: ExamFormProps) {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [texts, setTexts] = useState(() => examTexts(profile));
  const [faults, setFaults] = useState<ExamField[]>([]);
  const [attempts, setAttempts] = useState(0);
  const before = examTexts(profile);
  const changed = (Object.keys(texts) as ExamField[]).some((name) => texts[name] !== before[name]);
  const saving = useMutation({
    mutationFn: (figures: ExamProfileRequest) => updateExamProfile(profile.name, figures),
    onSuccess: () => {
      notify(t('settings.exams.saved', { name: t(`settings.exams.names.${profile.name}`) }));
      onDone();
      return queryClient.invalidateQueries({ queryKey: settingsKeys.examProfiles });
    },
    onError: (error) => {
      const field = error instanceof ApiError ? error.details.field : undefined;
      setFaults((Object.keys(texts) as ExamField[]).filter((name) => name === field));
    },
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (saving.isPending || !changed) return;
    saving.reset();
    setAttempts(attempts + 1);
    const { figures, faults: found } = readExam(texts, todayInNorway());
    setFaults(found);
    if (found.length === 0) saving.mutate(figures);
  }

  const field = (name: ExamField) => ({
    name,
    label: t(`settings.exams.field.${name}`),
    value: texts[name],
    autoComplete: 'off',
    error: faults.includes(name) && t(`settings.exams.fault.${name}`),
    onChange: (event: { currentTarget: { value: string } }) => {
      setTexts({ ...texts, [name]: event.currentTarget.value });
      setFaults(faults.filter((fault) => fault !== name));
      if (saving.isError) saving.reset();
    },
  });
  const reason =
    faults.length > 0 ? t('settings.failed.fields') : saving.isError && errorText(saving.error);
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className="muted">{t('settings.exams.from_now_on')}</p>
      <div className={styles.numbers}>
        {EXAM_NUMBERS.map((name) => (
          <Textfield key={name} {...field(name)} inputMode="numeric" />
        ))}
      </div>
      <Textfield {...field('source_url')} type="url" maxLength={MAX_TEXT_LENGTH} />
      <Textfield {...field('checked_at')} type="date" max={todayInNorway()} />
      <FormAlert key={attempts}>
        {reason && (
          <>
            <strong>{t('settings.failed.update_title')}</strong>
            <p>{t('settings.exams.failed_update', { reason })}</p>
          </>
        )}
      </FormAlert>
      <DialogActions>
        <BusyButton type="submit" busy={saving.isPending} resting={!changed}>
          {t('settings.save')}
        </BusyButton>
        <Button variant="secondary" onClick={onDone}>
          {tc('actions.cancel')}
        </Button>
      </DialogActions>
    </form>
  );
}

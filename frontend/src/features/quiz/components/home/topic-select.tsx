import { Field, Label, Select } from '@digdir/designsystemet-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ALL_TOPICS } from '../../topic-label.ts';

type TopicSelectProps = { topics: string[]; value: string; onChange: (topic: string) => void };

export function TopicSelect({ topics, value, onChange }: TopicSelectProps) {
  const { t } = useTranslation('learner');
  const id = useId();
  return (
    <Field>
      <Label htmlFor={id}>{t('quiz.topic')}</Label>
      <Select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {topics.map((topic) => (
          <Select.Option key={topic} value={topic}>
            {topic}
          </Select.Option>
        ))}
        <Select.Option value={ALL_TOPICS}>{t('quiz.all_topics')}</Select.Option>
      </Select>
    </Field>
  );
}

import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { importsQuery } from '../../api.ts';
import { isReading } from '../../import-state.ts';
import { ProgressBar } from '../run/progress-bar.tsx';
import { StateTag } from '../state-tag.tsx';
import styles from './running-imports.module.css';

/** Imports that go on, or wait for an answer: whoever sent them, and after a reload too. */
export function RunningImports() {
  const { t } = useTranslation('admin');
  const { data } = useQuery(importsQuery(1));
  const shown = data?.imports.filter(({ state }) => isReading(state) || state === 'checked') ?? [];
  if (shown.length === 0) return null;
  return (
    <section className={styles.running} aria-labelledby="import-running">
      <h2 id="import-running">{t('import.running_title')}</h2>
      <ul>
        {shown.map((one) => (
          <RunningImport key={one.id} one={one} />
        ))}
      </ul>
    </section>
  );
}

function RunningImport({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const name = one.file_name ?? t('import.no_name');
  return (
    <li className={styles.one}>
      <div className={styles.name}>
        <strong>{name}</strong> <StateTag state={one.state} />
      </div>
      {isReading(one.state) && (
        <ProgressBar label={t('import.processed')} bytes={one.bytes_done} total={one.bytes_total} />
      )}
      {one.state === 'checked' && <p className={styles.note}>{t('import.trial_waits')}</p>}
      <ButtonLink
        to="/admin/dashboard/imports/$id"
        params={{ id: one.id }}
        variant="secondary"
        data-size="sm"
        aria-label={t('import.show_one', { name })}
      >
        {t(one.state === 'checked' ? 'import.decide' : 'import.show')}
      </ButtonLink>
    </li>
  );
}

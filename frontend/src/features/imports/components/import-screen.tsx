import { Alert } from '@digdir/designsystemet-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import type { ImportOptions } from '../api.ts';
import { startUpload, type Upload, useUpload } from '../upload/upload.ts';
import { ImportForm } from './form/import-form.tsx';
import { ImportHistory } from './history/import-history.tsx';
import { RunningImports } from './history/running-imports.tsx';

/** Brings questions into the bank from a file, and lists what was brought before. */
export function ImportScreen() {
  const { t } = useTranslation('admin');
  const navigate = useNavigate();
  const [{ page = 1 }, show] = useScreenSearch('/admin/dashboard/');
  const upload = useUpload();

  function begin(file: File, options: ImportOptions) {
    const id = startUpload(file, options);
    void navigate({ to: '/admin/dashboard/imports/$id', params: { id } });
  }

  return (
    <AdminScreen title={t('shell.tab.import')} lead={t('import.lead')}>
      <RunningImports />
      {/* One file at a time: two would share the line and take as long. */}
      {upload && !upload.error ? <SendingNow upload={upload} /> : <ImportForm onImport={begin} />}
      <ImportHistory page={page} onPage={(next) => show(next === 1 ? {} : { page: next })} />
    </AdminScreen>
  );
}

/** A file is on its way from this page. */
function SendingNow({ upload: { id, file } }: { upload: Upload }) {
  const { t } = useTranslation('admin');
  return (
    <Alert data-color="info" data-size="sm">
      {t('import.sending_now', { name: file.name })}{' '}
      <Link className="ds-link" to="/admin/dashboard/imports/$id" params={{ id }}>
        {t('import.show')}
      </Link>
    </Alert>
  );
}

import { Button, Textfield } from '@digdir/designsystemet-react';
import { XMarkIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { readText, storeText } from '#lib/use-stored.ts';
import { type BankSearch, isFiltered, readBankSearch } from './bank-search.ts';
import styles from './questions.module.css';

const KEY = 'proveklar.portal-views';
const MAX_VIEWS = 20;
const MAX_NAME_LENGTH = 40;

interface View {
  name: string;
  search: BankSearch;
}

/** The views of this browser; those that are damaged are left out. */
function readViews(): View[] {
  try {
    const stored: unknown = JSON.parse(readText(KEY) ?? '[]');
    return (Array.isArray(stored) ? (stored as unknown[]) : []).flatMap((view) => {
      const { name, search } = (view ?? {}) as { name?: unknown; search?: unknown };
      if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
      return [{ name, search: readBankSearch(search as Record<string, unknown>) }];
    });
  } catch {
    return [];
  }
}

type SavedViewsProps = { search: BankSearch; onShow: (search: BankSearch) => void };

/** Filters and sort orders under a name, kept in this browser. */
export function SavedViews({ search, onShow }: SavedViewsProps) {
  const { t } = useTranslation('admin');
  const [views, setViews] = useState(readViews);
  const [isNaming, setNaming] = useState(false);
  const { page: _page, ...shown } = search;
  const key = keyOf(shown);
  const isKnown = views.some((view) => keyOf(view.search) === key);
  const canSave = isFiltered(search) || search.sort !== undefined;

  function store(next: View[]) {
    setViews(next);
    storeText(KEY, JSON.stringify(next));
  }
  function save(name: string) {
    const others = views.filter((view) => view.name !== name);
    store([...others, { name, search: shown }].slice(-MAX_VIEWS));
    setNaming(false);
  }

  if (views.length === 0 && !canSave) return null;
  return (
    <div className={styles.views} role="group" aria-label={t('questions.views.title')}>
      {views.map((view) => (
        <span key={view.name} className={styles.view}>
          <Button
            data-size="sm"
            variant={keyOf(view.search) === key ? 'primary' : 'secondary'}
            aria-pressed={keyOf(view.search) === key}
            onClick={() => onShow(view.search)}
          >
            {view.name}
          </Button>
          <Button
            icon
            data-size="sm"
            variant="tertiary"
            aria-label={t('questions.views.remove', { name: view.name })}
            onClick={() => store(views.filter(({ name }) => name !== view.name))}
          >
            <XMarkIcon aria-hidden />
          </Button>
        </span>
      ))}
      {canSave && !isKnown && (
        <Button data-size="sm" variant="tertiary" onClick={() => setNaming(true)}>
          {t('questions.views.save')}
        </Button>
      )}
      <AppDialog open={isNaming} title={t('questions.views.save')} onClose={() => setNaming(false)}>
        <p>{t('questions.views.text')}</p>
        <NameForm onSave={save} onClose={() => setNaming(false)} />
      </AppDialog>
    </div>
  );
}

// The same fields in another order are the same view.
const keyOf = (search: BankSearch) =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function NameForm({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [name, setName] = useState('');
  const [faults, setFaults] = useState<{ name?: string }>({});

  function save() {
    const isBlank = name.trim() === '';
    setFaults(isBlank ? { name: t('questions.fault.blank') } : {});
    if (!isBlank) onSave(name.trim());
  }
  return (
    <Form
      submit={t('questions.action.save')}
      busy={false}
      faults={faults}
      onSubmit={save}
      onCancel={onClose}
    >
      <Textfield
        label={t('questions.views.name')}
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        error={faults.name}
        onChange={({ currentTarget }) => {
          setFaults({});
          setName(currentTarget.value);
        }}
      />
    </Form>
  );
}

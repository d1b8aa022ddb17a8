import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { type BankSearch, readBankSearch } from '#features/question-bank/bank-search.ts';
import { QuestionsScreen } from '#features/question-bank/components/list/questions-screen.tsx';
import { rememberSearch } from '#features/question-bank/last-search.ts';

export function QuestionsRoute() {
  const navigate = useNavigate();
  const asked = useSearch({ from: '/identified/admin/dashboard/questions' });
  const search = useMemo(() => readBankSearch(asked), [asked]);
  useEffect(() => rememberSearch(search), [search]);
  const show = useCallback(
    (next: BankSearch, replace: boolean) =>
      void navigate({ to: '/admin/dashboard/questions', search: next, replace }),
    [navigate],
  );
  return <QuestionsScreen search={search} onSearch={show} />;
}

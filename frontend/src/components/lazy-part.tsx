import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from './retry-alert.tsx';

type LazyPartProps = {
  /** Shown until the code is there. */
  fallback?: ReactNode;
  /** What is said when the code could not be loaded. */
  failed?: string;
  /** Set if the page can do without the part: then the fallback stays. */
  optional?: boolean;
};

let parts = 0;

/**
 * A part of a page whose code is loaded when it is first shown. If that fails, the rest of the page stays, and loading
 * can be tried again. React's `lazy` would remember the failure until a reload, and show it in place of the page.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const queryKey = ['code', (parts += 1)];
  return function LazyPart(props: Props & LazyPartProps) {
    const { fallback = null, failed, optional = false } = props;
    const { t } = useTranslation();
    const code = useQuery({
      queryKey,
      queryFn: load,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    });
    const Part = code.data;
    if (Part) return <Part {...props} />;
    // The count stays while it is loaded again, and so do the alert and the focus.
    if (code.errorUpdateCount === 0 || optional) return fallback;
    return (
      <RetryAlert busy={code.isFetching} onRetry={() => void code.refetch()}>
        {failed ?? t('error.load')}
      </RetryAlert>
    );
  };
}

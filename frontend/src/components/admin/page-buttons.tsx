import { Pagination, usePagination } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

type PageButtonsProps = {
  /** From 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
};

/** Pagination with up to seven page buttons, and those to the previous and next page. */
export function PageButtons({ page, pages, onPage }: PageButtonsProps) {
  const { t } = useTranslation('admin');
  const shown = usePagination({ currentPage: page, totalPages: pages, showPages: 7 });
  if (pages < 2) return null;
  return (
    <Pagination aria-label={t('shell.pages')} data-size="sm">
      <Pagination.List>
        {/* The first and the last place get an arrow each, and need to be there without a button. */}
        <Pagination.Item>
          {shown.hasPrev ? (
            <Pagination.Button variant="tertiary" onClick={() => onPage(page - 1)}>
              {t('shell.previous')}
            </Pagination.Button>
          ) : (
            <span aria-hidden="true" />
          )}
        </Pagination.Item>
        {shown.pages.map(({ page: number, itemKey }) => (
          <Pagination.Item key={itemKey}>
            {typeof number === 'number' ? (
              <Pagination.Button
                variant="tertiary"
                aria-current={number === page ? 'true' : undefined}
                aria-label={t('shell.page', { page: number })}
                onClick={() => onPage(number)}
              >
                {number}
              </Pagination.Button>
            ) : (
              '…'
            )}
          </Pagination.Item>
        ))}
        <Pagination.Item>
          {shown.hasNext ? (
            <Pagination.Button variant="tertiary" onClick={() => onPage(page + 1)}>
              {t('shell.next')}
            </Pagination.Button>
          ) : (
            <span aria-hidden="true" />
          )}
        </Pagination.Item>
      </Pagination.List>
    </Pagination>
  );
}

import { Table } from '@digdir/designsystemet-react';
import { Fragment, type ReactNode } from 'react';
import styles from './data-table.module.css';

export type Column<Row> = {
  key: string;
  /** Shown above the column; on a phone next to each value. */
  header: string;
  /** Replaces the header's text, such as by a checkbox for all rows. */
  head?: ReactNode;
  /** The content of the cell. */
  render: (row: Row) => ReactNode;
  /** The row's header: the heading of its card on a phone, and read aloud with each of its cells. */
  primary?: boolean;
  /** For numbers. */
  align?: 'end';
  /** Shown without a header on a phone: buttons, a checkbox. */
  bare?: boolean;
  /** Makes the header a button; the caller holds the sort order. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
};

type DataTableProps<Row> = {
  /** The table's caption; read aloud, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Other rows are being loaded: a line above these says so. */
  busy?: boolean;
  /** Shows more below a row that is open; the caller holds which are, and renders the button. */
  expansion?: {
    isOpen: (row: Row) => boolean;
    render: (row: Row) => ReactNode;
    /** The id of the row below, for the button's `aria-controls`. */
    idOf: (row: Row) => string;
  };
  /** Marks the row that keys act on. */
  isCurrent?: (row: Row) => boolean;
};

/** A table that becomes a list of cards where it is narrower than 46rem. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, busy, expansion, isCurrent } = props;
  // These are the elements' own roles; some browsers drop them when CSS changes `display`.
  return (
    <div className={styles.frame} aria-busy={busy || undefined}>
      <Table role="table" className={styles.table} data-size="sm">
        <caption className={styles.caption}>{caption}</caption>
        <Table.Head role="rowgroup">
          <Table.Row role="row">
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </Table.Row>
        </Table.Head>
        <Table.Body role="rowgroup">
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <Table.Row
                role="row"
                data-row={rowKey(row)}
                aria-current={isCurrent?.(row) ? 'true' : undefined}
              >
                {columns.map((column) => (
                  <Value key={column.key} column={column} row={row} />
                ))}
              </Table.Row>
              {expansion?.isOpen(row) && (
                <Table.Row role="row" id={expansion.idOf(row)} className={styles.below}>
                  <Table.Cell role="cell" colSpan={columns.length}>
                    {expansion.render(row)}
                  </Table.Cell>
                </Table.Row>
              )}
            </Fragment>
          ))}
        </Table.Body>
      </Table>
    </div>
  );
}

function Heading<Row>({ column: { header, head, align, sort } }: { column: Column<Row> }) {
  return (
    <Table.HeaderCell
      role="columnheader"
      scope="col"
      data-align={align}
      {...(sort && { sort: sort.direction, onClick: sort.onSort })}
    >
      {head ?? header}
    </Table.HeaderCell>
  );
}

function Value<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, render, align, bare, primary } = column;
  const label = (
    <span className={styles.label} aria-hidden="true">
      {header}
    </span>
  );
  if (primary) {
    return (
      <Table.HeaderCell role="rowheader" scope="row" className={styles.primary}>
        {render(row)}
      </Table.HeaderCell>
    );
  }
  return (
    <Table.Cell role="cell" data-align={align} data-bare={bare}>
      {!bare && label}
      <div className={styles.value}>{render(row)}</div>
    </Table.Cell>
  );
}

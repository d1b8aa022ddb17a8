import { Table } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export type Column<Row> = {
  key: string;
  /** Above the column; on a phone beside each value. */
  header: string;
  /** Stands in place of the text above the column, such as a checkbox for all rows. */
  head?: ReactNode;
  /** What stands in the cell. */
  render: (row: Row) => ReactNode;
  /** Names the row: the heading of its card on a phone, and read out with each of its cells. */
  primary?: boolean;
  /** For numbers. */
  align?: 'end';
  /** No heading of its own on a phone: buttons, a checkbox. */
  bare?: boolean;
  /** With it the heading is a button; the caller keeps what is sorted by. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
};

type DataTableProps<Row> = {
  /** What the table holds; read out, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Other rows are on their way: a line above these says so. */
  busy?: boolean;
};

/** A table that turns into a list of cards where it has not the room for columns (46rem). */
export function DataTable<Row>({ caption, columns, rows, rowKey, busy }: DataTableProps<Row>) {
  // The roles are the elements' own; some browsers forget them when the style makes cards of them.
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
            <Table.Row key={rowKey(row)} role="row">
              {columns.map((column) => (
                <Value key={column.key} column={column} row={row} />
              ))}
            </Table.Row>
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

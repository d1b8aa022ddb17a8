import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import styles from './layout.module.css';

/** Space between children, in quarters of a rem: 4 is 1rem. */
type Gap = 1 | 2 | 3 | 4 | 5 | 6;

type LayoutProps<E extends ElementType> = { as?: E; gap: Gap } & Omit<
  ComponentPropsWithRef<E>,
  'as'
>;

function join(own: string | undefined, given: unknown): string | undefined {
  return typeof given === 'string' ? `${own} ${given}` : own;
}

/** Children in a column, as wide as the stack. The caller may choose the element: `as="ul"`. */
export function Stack<E extends ElementType = 'div'>({
  as,
  gap,
  className,
  ...rest
}: LayoutProps<E>) {
  const Element: ElementType = as ?? 'div';
  return <Element {...rest} className={join(styles.stack, className)} data-gap={gap} />;
}

type ClusterProps<E extends ElementType> = LayoutProps<E> & {
  /** The alignment across the line; stretch by default. */
  align?: 'start' | 'center' | 'end' | 'baseline';
  justify?: 'center' | 'end' | 'between';
};

/** Children in a row that wraps. */
export function Cluster<E extends ElementType = 'div'>({
  as,
  gap,
  align,
  justify,
  className,
  ...rest
}: ClusterProps<E>) {
  const Element: ElementType = as ?? 'div';
  return (
    <Element
      {...rest}
      className={join(styles.cluster, className)}
      data-gap={gap}
      data-align={align}
      data-justify={justify}
    />
  );
}

/** The white card of forms and single tasks. */
export function FormCard({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#lib/config.ts';
import styles from './legal.module.css';

/**
 * Who sells, and how to reach them. Each alone in its element, also when it is empty: the page that
 * the server filled in is taken over as it is.
 */
export function SellerDetails() {
  const { data: config } = useQuery(configQuery);
  return (
    <p className={styles.seller}>
      <span>{sellerLine(config?.seller)}</span>
      <span>{config?.support_email}</span>
    </p>
  );
}

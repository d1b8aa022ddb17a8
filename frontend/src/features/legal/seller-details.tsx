import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#lib/config.ts';
import styles from './legal.module.css';

/**
 * The seller and their contact. Each value is alone in its element, even if empty, so that the page that
 * the gateway filled in can be hydrated.
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

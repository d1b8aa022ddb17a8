import styles from './stat-tiles.module.css';

/** A few numbers that matter, side by side. One that is not known yet is a grey line. */
export function StatTiles({ tiles }: { tiles: { label: string; value: string | undefined }[] }) {
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ label, value }) => (
        <div key={label} className={styles.tile}>
          <dt>{label}</dt>
          <dd>{value ?? <span className={`ds-skeleton ${styles.unknown}`} />}</dd>
        </div>
      ))}
    </dl>
  );
}

const widths = ['55%', '100%', '92%', '78%', '40%'];

/** Grey lines in place of a text that is being loaded. */
export function SkeletonLines({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div style={{ display: 'grid', gap: '0.875rem' }} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="ds-skeleton"
          style={{ width: widths[line % widths.length], height: line === 0 ? '2rem' : '1.25rem' }}
        />
      ))}
    </div>
  );
}

/** Our mark: a tick that climbs like a mountainside, with the sun rising behind it. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0f4a6b" />
      <circle cx="10" cy="9.5" r="3.5" fill="#f0a13c" />
      <path
        d="M6 18.5 12.5 25 26 9.5"
        fill="none"
        stroke="#fff"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

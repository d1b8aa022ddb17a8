import { LandingPage } from '#features/landing/landing.tsx';
import type { Tried } from '#features/landing/try-question.tsx';

export function LandingRoute() {
  return <LandingPage onTried={(tried) => void keep(tried)} />;
}

async function keep(tried: Tried): Promise<void> {
  const { keepTried } = await import('../load-sample.ts');
  await keepTried(tried);
}

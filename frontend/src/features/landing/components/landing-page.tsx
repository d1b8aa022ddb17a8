import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import styles from './landing-page.module.css';
import { Pitch } from './pitch.tsx';
import { PricingCard } from './pricing-card.tsx';

export function LandingPage() {
  return (
    <>
      <Hero />
      <div className={styles.sections}>
        <Pitch />
        <Features />
        <PricingCard />
      </div>
    </>
  );
}

import { Button } from '@digdir/designsystemet-react';
import type { Area, Image } from '@proveklar/contract/images.ts';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import styles from './picture.module.css';
import { optionLetter } from './option-letter.ts';

/**
 * open: can be chosen. chosen: picked, not judged. right, wrong: picked and judged.
 * key: the correct one, not picked. other: neither.
 */
export type OptionLook = 'open' | 'chosen' | 'right' | 'wrong' | 'key' | 'other';

/** How an option looks, once `answer` was given and `key` may be known. */
export function lookOf(
  option: string,
  { answer, key }: { answer: string | undefined; key: string | undefined },
): OptionLook {
  const chosen = answer === option;
  if (key === undefined) return chosen ? 'chosen' : 'open';
  if (option === key) return chosen ? 'right' : 'key';
  return chosen ? 'wrong' : 'other';
}

interface PictureProps {
  picture: { image?: Image | null; areas?: Area[] | null; language: string };
  look: (option: string) => OptionLook;
  /** The letter of each area is that of its place here; without, areas have only right or wrong. */
  options?: readonly string[];
  locked?: boolean;
  /** Left out where nothing can be chosen. */
  onChoose?: (option: string, byPointer: boolean) => void;
}

/** The picture of a question, with an area for each option where the picture has them. */
export function Picture({ picture, ...areas }: PictureProps) {
  const { t } = useTranslation('learner');
  const [attempt, setAttempt] = useState(1);
  const [failed, setFailed] = useState(false);
  const { image, language } = picture;
  if (!image) return null;
  if (failed) {
    return (
      <div className={styles.failed}>
        <p {...textIn(language)}>{image.alt}</p>
        <p role="alert">{t('picture.failed')}</p>
        <Button
          variant="secondary"
          onClick={() => {
            setFailed(false);
            setAttempt(attempt + 1);
          }}
        >
          {t('picture.retry')}
        </Button>
      </div>
    );
  }
  return (
    <div
      className={styles.picture}
      style={{ '--ratio': image.width / image.height } as CSSProperties}
      {...textIn(language)}
    >
      <img
        key={attempt}
        src={image.url}
        alt={image.alt}
        width={image.width}
        height={image.height}
        onError={() => setFailed(true)}
      />
      {picture.areas && <Areas areas={picture.areas} {...areas} />}
    </div>
  );
}

/**
 * Loads the picture of the next question, so that it is there with the question, also on a slow network or phone.
 * The browser keeps it parsed while its element exists.
 */
export function usePictureAhead(next: PictureProps['picture'] | undefined): void {
  const url = next?.image?.url;
  const ahead = useRef<HTMLImageElement>(undefined);
  useEffect(() => {
    if (url === undefined) return undefined;
    const timer = setTimeout(() => {
      ahead.current = document.createElement('img');
      ahead.current.src = url;
    }, AHEAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [url]);
}

/** The question that is shown comes first: a slow phone needs some time to paint it. */
const AHEAD_AFTER_MS = 200;

type AreasProps = Omit<PictureProps, 'picture'> & { areas: readonly Area[] };

function Areas({ areas, ...props }: AreasProps) {
  const { t } = useTranslation('learner');
  const shown = props.onChoose
    ? areas
    : areas.filter(({ name }) => !['open', 'other'].includes(props.look(name)));
  const isGroup = props.onChoose !== undefined;
  return (
    <svg
      className={styles.areas}
      {...(isGroup ? { role: 'group', 'aria-label': t('picture.areas') } : { 'aria-hidden': true })}
    >
      {shown.map((area) => (
        <AreaButton key={area.name} area={area} {...props} />
      ))}
    </svg>
  );
}

type AreaButtonProps = Omit<PictureProps, 'picture'> & { area: Area };

/** Chooses the option of the same name. The disc with its letter is a target of its own for small areas. */
function AreaButton({ area, look, options, locked, onChoose }: AreaButtonProps) {
  const { name, shape } = area;
  const state = look(name);
  const letter = options && optionLetter(options.indexOf(name));
  const mark = { right: '✓', key: '✓', wrong: '✕' }[state as string];
  // "Number 3": the picture has the numbers. A disc would cover them, or has the number in place of the letter.
  const isNumbered = options?.every((option) => /^\p{L}+ \d$/u.test(option)) ?? false;
  const isUnseen = isNumbered && !mark;
  const picked = state === 'chosen' || state === 'right' || state === 'wrong';
  const [x, y] = middleOf(shape);

  /** Where a press would change nothing, the key is left to the quiz: Enter goes on. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (event.key === 'Enter' && (locked || picked)) return;
    event.preventDefault();
    if (!event.repeat) onChoose?.(name, false);
  }

  const button = onChoose && {
    role: 'button',
    tabIndex: 0,
    'aria-label': `${letter}: ${name}`,
    'aria-pressed': picked,
    'aria-disabled': locked || undefined,
    onKeyDown,
    onClick: (event: { detail: number }) => onChoose(name, event.detail > 0),
  };
  return (
    <g className={styles.area} data-area={state} {...button}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
        <polygon points={shape} className={styles.halo} />
        <polygon points={shape} className={styles.shape} />
      </svg>
      <circle
        cx={`${x}%`}
        cy={`${y}%`}
        r={mark && letter ? 19 : 14}
        data-unseen={isUnseen || undefined}
      />
      {!isUnseen && (
        <text x={`${x}%`} y={`${y}%`} aria-hidden="true">
          {[isNumbered ? name.at(-1) : letter, mark].filter(Boolean).join(' ')}
        </text>
      )}
    </g>
  );
}

/** Where the disc with the letter stands: the centre of the polygon, in percent. */
function middleOf(shape: string): [x: number, y: number] {
  const points = shape.split(' ').map((point) => point.split(',').map(Number));
  let [area, x, y] = [0, 0, 0];
  for (const [index, [x1 = 0, y1 = 0]] of points.entries()) {
    const [x2 = 0, y2 = 0] = points[(index + 1) % points.length]!;
    const cross = x1 * y2 - x2 * y1;
    area += cross;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  }
  // A line has no area: its first point will do.
  if (area === 0) return [points[0]?.[0] ?? 0, points[0]?.[1] ?? 0];
  return [x / (3 * area), y / (3 * area)];
}

import { Button, Fieldset, Textfield, ValidationMessage } from '@digdir/designsystemet-react';
import { AREA_SHAPE, MAX_IMAGE_ALT_LENGTH } from '@proveklar/contract/limits.ts';
import { type MouseEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Cluster, Stack } from '#components/layout.tsx';
import { textIn } from '#lib/question-language.ts';
import { type Draft, type FaultReason, type Faults, tidyShape } from './draft.ts';
import styles from './picture-fields.module.css';

const TYPES = 'image/svg+xml,image/png,image/jpeg';

type PictureFieldsProps = {
  /** The edit of the whole question. */
  edit: { draft: Draft; faults: Faults; set: (change: Partial<Draft>) => void };
  language: string;
  faultText: (reason: FaultReason | undefined) => string | undefined;
};

/** The picture of a question: upload, its text, and the area of each option. */
export function PictureFields({ edit, language, faultText }: PictureFieldsProps) {
  const { t } = useTranslation('admin');
  const file = useRef<HTMLInputElement>(null);
  const hint = useId();
  const { draft, faults, set } = edit;
  const fault = imageFault(faults);

  function read(chosen: File | undefined) {
    if (!chosen) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => set({ image: reader.result as string }));
    reader.readAsDataURL(chosen);
  }

  return (
    <Fieldset>
      <Fieldset.Legend>{t('questions.picture.legend')}</Fieldset.Legend>
      <Fieldset.Description id={hint}>{t('questions.picture.hint')}</Fieldset.Description>
      <Stack gap={3}>
        <input
          ref={file}
          type="file"
          accept={TYPES}
          hidden
          aria-label={t('questions.field.image')}
          onChange={({ currentTarget }) => {
            read(currentTarget.files?.[0]);
            // The same file can be chosen again after it was changed.
            currentTarget.value = '';
          }}
        />
        <Cluster gap={3}>
          <Button
            type="button"
            variant="secondary"
            data-size="sm"
            aria-describedby={hint}
            onClick={() => file.current?.click()}
          >
            {t(draft.image ? 'questions.picture.replace' : 'questions.picture.choose')}
          </Button>
          {draft.image && (
            <Button
              type="button"
              variant="tertiary"
              data-size="sm"
              data-color="danger"
              onClick={() => set(withoutPicture(draft))}
            >
              {t('questions.picture.remove')}
            </Button>
          )}
        </Cluster>
        {fault && (
          <ValidationMessage role="alert">
            {fault.part && `${fault.part}: `}
            {faultText(fault.reason)}
          </ValidationMessage>
        )}
        {draft.image && (
          <>
            <Textfield
              label={t('questions.field.image_alt')}
              description={t('questions.picture.alt_hint')}
              {...textIn(language)}
              autoComplete="off"
              maxLength={MAX_IMAGE_ALT_LENGTH}
              value={draft.image_alt}
              error={faultText(faults.image_alt)}
              onChange={({ currentTarget }) => set({ image_alt: currentTarget.value })}
            />
            <AreaFields edit={edit} faultText={faultText} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

function withoutPicture(draft: Draft): Partial<Draft> {
  const incorrect = draft.incorrect.map((one) => ({ ...one, area: '' }));
  return { image: '', image_alt: '', area: '', incorrect };
}

/** The fault of the picture, and the part of an SVG that it is about. */
function imageFault(faults: Faults): { part: string; reason: FaultReason } | undefined {
  for (const [field, reason] of Object.entries(faults)) {
    if (field === 'image' || field.startsWith('image.')) return { part: field.slice(6), reason };
  }
  return undefined;
}

function AreaFields({ edit, faultText }: Omit<PictureFieldsProps, 'language'>) {
  const { t } = useTranslation('admin');
  const [drawn, setDrawn] = useState<number>();
  const { draft, faults, set } = edit;
  const areas = [
    { id: 'answer', text: draft.answer, area: draft.area },
    ...draft.incorrect.map(({ key, text, area }) => ({ id: String(key), text, area })),
  ];
  function setArea(place: number, area: string) {
    if (place === 0) set({ area });
    else {
      const { incorrect } = draft;
      set({ incorrect: incorrect.with(place - 1, { ...incorrect[place - 1]!, area }) });
    }
  }

  function addPoint(event: MouseEvent<HTMLElement>) {
    if (drawn === undefined) return;
    const box = event.currentTarget.getBoundingClientRect();
    const percent = (at: number, of: number) =>
      Math.round(Math.min(1, Math.max(0, at / of)) * 1000) / 10;
    const x = percent(event.clientX - box.left, box.width);
    const y = percent(event.clientY - box.top, box.height);
    setArea(drawn, tidyShape(`${areas[drawn]?.area ?? ''} ${x},${y}`));
  }

  return (
    <Fieldset>
      <Fieldset.Legend>{t('questions.picture.areas')}</Fieldset.Legend>
      <Fieldset.Description>{t('questions.picture.areas_hint')}</Fieldset.Description>
      <Stack gap={3}>
        {/* By keyboard, the points are typed: the fields below say the same. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div
          className={styles.canvas}
          data-drawing={drawn !== undefined || undefined}
          onClick={addPoint}
        >
          <img src={draft.image} alt={t('questions.picture.preview')} draggable={false} />
          <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none">
            {areas.map(({ id, area }, place) => (
              <Outline key={id} shape={tidyShape(area)} isDrawn={place === drawn} />
            ))}
          </svg>
          {areas.map(({ id, area }, place) => {
            const [x, y] = firstPoint(area);
            return (
              x !== undefined && (
                <span
                  key={id}
                  className={styles.number}
                  style={{ left: `${x}%`, top: `${y}%` }}
                  aria-hidden="true"
                >
                  {place + 1}
                </span>
              )
            );
          })}
        </div>
        <p role="status" className="muted">
          {drawn !== undefined && t('questions.picture.drawing', { n: drawn + 1 })}
        </p>
        {areas.map(({ id, text, area }, place) => {
          const n = place + 1;
          return (
            <div key={id} className={styles.area}>
              <Textfield
                label={t('questions.picture.area', { n, option: text })}
                data-size="sm"
                autoComplete="off"
                value={area}
                error={faultText(faults[`areas.${place}`])}
                onChange={({ currentTarget }) => setArea(place, currentTarget.value)}
              />
              <Cluster gap={2}>
                <Button
                  type="button"
                  variant="tertiary"
                  data-size="sm"
                  aria-pressed={drawn === place}
                  onClick={() => setDrawn(drawn === place ? undefined : place)}
                >
                  {t(drawn === place ? 'questions.picture.stop' : 'questions.picture.draw', { n })}
                </Button>
                {drawn === place && area.trim() && (
                  <Button
                    type="button"
                    variant="tertiary"
                    data-size="sm"
                    onClick={() =>
                      setArea(place, tidyShape(area).split(' ').slice(0, -1).join(' '))
                    }
                  >
                    {t('questions.picture.undo', { n })}
                  </Button>
                )}
              </Cluster>
            </div>
          );
        })}
        {faults.areas && <ValidationMessage>{faultText(faults.areas)}</ValidationMessage>}
      </Stack>
    </Fieldset>
  );
}

const POINT = /^\d{1,3}(?:\.\d)?,\d{1,3}(?:\.\d)?$/u;

/** The polygon, or a line through its points while there are too few. */
function Outline({ shape, isDrawn }: { shape: string; isDrawn: boolean }) {
  if (new RegExp(AREA_SHAPE, 'u').test(shape)) {
    return <polygon points={shape} data-drawn={isDrawn || undefined} />;
  }
  const points = shape.split(' ').filter((point) => POINT.test(point));
  return <polyline points={points.join(' ')} data-drawn={isDrawn || undefined} />;
}

function firstPoint(shape: string): number[] {
  const [first = ''] = tidyShape(shape).split(' ');
  return POINT.test(first) ? first.split(',').map(Number) : [];
}

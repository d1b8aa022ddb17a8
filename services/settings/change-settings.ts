import { type Actor, nameOf } from '#audit/actor.ts';
import { changesBetween, recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { type Seller, SETTINGS, type Settings, toPriceInOre } from './settings.ts';

/** The fields that an administrator can change; undefined fields stay as they are. */
type SettingsChange = {
  [F in keyof Fields]?: Fields[F] | undefined;
};
interface Fields extends Seller {
  /** NOK including VAT. */
  price: number;
  service_days: number;
  support_email: string | null;
}

/**
 * Changes settings. Only fields that differ are written and recorded, so that two administrators who save at
 * the same time do not overwrite each other's fields. Open payments keep their price.
 *
 * @throws AppError `validation_failed` for an invalid price or organisation number
 */
export async function changeSettings(
  db: Database,
  actor: Actor,
  change: SettingsChange,
): Promise<Settings> {
  const fields = validated(change);
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.query<Settings>(`select ${SETTINGS} from settings for update`);
    const settings = rows[0]!;
    const changes = changesBetween(fieldsOf(settings), fields);
    if (Object.keys(changes).length === 0) return settings;
    await recordAction(tx, {
      actor,
      action: 'settings.updated',
      subject: 'settings',
      details: { changes },
    });
    return write(tx, actor, { ...fieldsOf(settings), ...fields });
  });
}

function validated({ price, ...others }: SettingsChange): Partial<Fields> {
  const number = others.seller_organisation_number;
  if (number && !isOrganisationNumber(number)) {
    throw new AppError('validation_failed', {
      message: 'seller_organisation_number is not a valid organisation number: check its digits',
      details: { field: 'seller_organisation_number', part: 'body' },
    });
  }
  if (price !== undefined) toPriceInOre(price);
  const entries = Object.entries({ price, ...others })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]);
  return Object.fromEntries(entries) as Partial<Fields>;
}

function fieldsOf({ price_ore, updated_at: _at, updated_by: _by, ...rest }: Settings): Fields {
  return { price: price_ore / 100, ...rest };
}

async function write(tx: Transaction, actor: Actor, fields: Fields): Promise<Settings> {
  const { rows } = await tx.query<Settings>(
    `update settings set
       price_ore = $1, service_days = $2, seller_name = $3, seller_organisation_number = $4,
       seller_address = $5, seller_vat_registered = $6, support_email = $7,
       updated_at = now(), updated_by = $8
     returning ${SETTINGS}`,
    [
      toPriceInOre(fields.price),
      fields.service_days,
      fields.seller_name,
      fields.seller_organisation_number,
      fields.seller_address,
      fields.seller_vat_registered,
      fields.support_email,
      nameOf(actor),
    ],
  );
  return rows[0]!;
}

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** Whether a text is a number of Enhetsregisteret: nine digits, the last one a check digit (modulus 11). */
export function isOrganisationNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  // A remainder of 1 would need the check digit 10: such numbers are not issued.
  return (11 - (sum % 11)) % 11 === Number(text[8]);
}

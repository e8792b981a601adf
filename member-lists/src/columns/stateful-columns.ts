import type { StatusMeaning } from '../values/word-meanings.ts';
import { meansNoAccess } from '../values/words.ts';
import type { ColumnContent } from './column-content.ts';
import { meaningsOf } from './heading-meanings.ts';
import { headingKey } from './headings.ts';

/** A column that says something about the state of a member besides the field `status`: a flag, or a time. */
export interface StateColumn {
  readonly column: number;
  /**
   * As the `statusWords` of a reading. '' stands for an empty cell, `*` for any other, and `*@example.com` for what ends
   * like that. A word without a meaning says nothing.
   */
  readonly words: Readonly<Record<string, StatusMeaning>>;
  /** Whether the cell is a time until which the words count, such as the end of a suspension. */
  readonly isUntil?: boolean;
}

/** Headings about the state of people in another system, or about their payments. */
const stateful = new RegExp(
  [
    'status|^state$|active|suspend|block|banned|silenced|cancel|expire|expiry|terminat|unsub|optout|deleted|approv|paid|paying|payment|fee$|dues',
    'zustand|aktiv|gesperrt|sperre|gekundigt|kundigung|austritt|ausgetreten|abgemeldet|geloscht|bezahlt|zahlung|zahlend|^beitrag|beitrag$|ruhend',
    'statut|^etat$|actif|bloque|suspendu|resili|radi(e|ation)|sortie|desinscri|paye|paiement|cotisation',
    'estado|activo|bloqueado|suspendido|^baja|fechadebaja|cancelad|caduc|pagado|pago|cuota',
    '状態|ステータス|停止|退会|休会|解約|削除|会費|支払|納入|有料',
  ].join('|'),
);

/** Whether a column carries the status, the payment or the end of people in the other system, so that a preview can name it. */
export function isStateful(heading: string, { filled, words }: ColumnContent): boolean {
  const isNamed = stateful.test(headingKey(heading)) || meaningsOf(heading).has('groupsEndAt');
  return filled > 0 && (isNamed || [...(words?.keys() ?? [])].some(meansNoAccess));
}

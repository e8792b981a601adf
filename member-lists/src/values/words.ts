import { noMarks, yesMarks } from './marks.ts';
import { foldWord, type StatusMeaning } from './word-meanings.ts';

/** The words for "yes" or "paying" that people and spreadsheets use, in the languages of the dashboard. */
const yes = oneOf(
  yesMarks,
  'paid|paying',
  'bezahlt|zahlend|zahlt',
  'pay[ée]e?|payante?',
  'pagad[oa]|pagando|de pago',
  '有料|支払済み?|支払い済み',
);
const no = oneOf(
  noMarks,
  'not paid|not paying|unpaid|free',
  'nicht bezahlt|unbezahlt|nicht zahlend|zahlt nicht',
  'non pay[ée]e?|non payante?|gratuite?',
  'no pagad[oa]|sin pagar|gratis',
  '無料|未払い?',
);

/** What stands in a cell of times that has none, such as the date 0 of databases and spreadsheets. */
const nothing = oneOf(
  '-+|–|—|/|n\\.? ?/? ?a\\.?|null|nil|none|nan|nat|not applicable',
  'keine?|ohne|entfällt|nicht zutreffend',
  'aucune?|sans|non applicable|s\\.?o\\.?|s/o|néant',
  'ningun[oa]|no aplica|no procede',
  'なし|無し|該当なし',
  '0|0{1,4}[-/.]0{1,2}[-/.]0{1,4}(?:[t ]0?0:00(?::00(?:\\.0+)?)?z?)?',
  '0001-01-01(?:[t ]00:00:00(?:\\.0+)?(?: ?(?:z|[+-]00:?00|utc))*)?',
);
/** The words for a membership that does not end. */
const noEnd = oneOf(
  "∞|never|never expires|no expir(?:y|ation)(?: date)?|no end(?: date)?|does(?: not|n['’]t) expire|non-expiring|unlimited|indefinite(?:ly)?|permanent(?:ly)?|forever|for life|life|life ?time(?: membership| member)?|open(?:[- ]ended)?|perpetual",
  'nie|niemals|unbegrenzt|unbefristet|unendlich|lebenslang|lebenslänglich|auf lebenszeit|dauerhaft|dauermitglied|für immer|ewig|läuft nie ab|kein (?:ende|ablauf|ablaufdatum|enddatum)|ohne (?:ende|ablauf|ablaufdatum|enddatum)|bis auf weiteres|offen',
  "jamais|n['’]expire jamais|illimitée?|permanente?|à vie|pour toujours|sans (?:fin|expiration|limite|date de fin)|indéterminée?",
  'nunca|no caduca|no expira|ilimitad[oa]|indefinid[oa]|permanente|de por vida|vitalici[oa]|para siempre|sin (?:fin|fecha de fin|caducidad|vencimiento|límite)',
  '無期限|無制限|永久|永年|生涯|終身|期限なし|なし',
);

/** Longer than any of the words for times. */
const maxWordLength = 100;

/** Words for the states of people in other systems, and what they mean here. */
const blocked = oneOf(
  'suspended|banned|blocked|block(?:ed)? list(?:ed)?|blacklisted|disabled|deactivated|inactive|locked|frozen|silenced|restricted|rejected|denied|declined(?: patron)?|refused|revoked|spam|past due|unpaid|delinquent|overdue|payment failed|on hold|paused?',
  'gesperrt|blockiert|deaktiviert|inaktiv|gebannt|verbannt|abgelehnt|eingefroren|pausiert|ruht|ruhend|zahlungsrückstand|in verzug',
  'suspendue?|bloquée?|bannie?|désactivée?|inactive?|inactif|refusée?|rejetée?|verrouillée?|impayée?|en pause',
  'suspendid[oa]|bloquead[oa]|desactivad[oa]|deshabilitad[oa]|inactiv[oa]|expulsad[oa]|vetad[oa]|rechazad[oa]|impagad[oa]|en pausa',
  '停止|停止中|利用停止|凍結|凍結中|ブロック|ブロック中|ブロック済み?|無効|禁止|休会|休会中|却下|拒否',
);
const leftOut = oneOf(
  'cancell?ed|admin[_ ]cancell?ed|expired|ended|former(?: (?:patron|member))?|lapsed|left|gone|resigned|quit|terminated|churned|unsubscribed|opted[ -]out|opt[ -]out|deleted|removed|archived|cleaned|bounced|complained|invalid|incomplete(?:[_ ]expired)?|pending(?:[_ ]approval)?|unconfirmed|invited|waitlist(?:ed)?|not going|deceased|dead',
  'gekündigt|storniert|abgelaufen|beendet|ausgetreten|austritt|ehemalig(?:e[rs]?)?|ex-mitglied|abgemeldet|gelöscht|entfernt|archiviert|ausgeschieden|verstorben|ausstehend|unbestätigt|eingeladen|warteliste',
  'résiliée?|annulée?|expirée?|terminée?|ancien(?:ne)?(?: membre)?|parti?e?|démissionnaire|désabonnée?|désinscrite?|supprimée?|archivée?|radiée?|décédée?|en attente|non confirmée?|invitée?',
  'cancelad[oa]|anulad[oa]|expirad[oa]|caducad[oa]|vencid[oa]|terminad[oa]|finalizad[oa]|baja|de baja|dad[oa] de baja|ex(?:soci[oa]| miembro|-miembro)|antigu[oa]|eliminad[oa]|borrad[oa]|archivad[oa]|fallecid[oa]|pendiente|sin confirmar|invitad[oa]',
  '退会|退会済み?|解約|解約済み?|キャンセル|キャンセル済み?|期限切れ|終了|元会員|削除|削除済み?|配信停止|購読解除|保留|保留中|承認待ち|招待中|未確認',
);
const active = oneOf(
  'active(?: (?:patron|member))?|enabled|approved|confirmed|accepted|subscribed|current|valid|verified|paid|paying|member|regular|going|normal|ok|live|trial(?:ing)?|comp(?:limentary|ed)?|lifetime|free',
  'aktiv(?:e[rs]?)?(?: mitglied)?|aktiviert|bestätigt|freigeschaltet|genehmigt|angemeldet|abonniert|gültig|mitglied|ehrenmitglied|passiv(?:e[rs]?)?(?: mitglied)?|bezahlt',
  'acti(?:f|ve)|activée?|approuvée?|confirmée?|validée?|valide|abonnée?|inscrite?|membre|en cours|à jour|payée?',
  'activ[oa]|activad[oa]|aprobad[oa]|confirmad[oa]|suscrit[oa]|vigente|válid[oa]|soci[oa]|miembro|al corriente|pagad[oa]|alta|de alta',
  '有効|有効中|利用中|アクティブ|承認済み?|確認済み?|登録済み?|会員|正会員|在籍|在籍中|購読中|継続|継続中|入会中',
);

function oneOf(...words: string[]): RegExp {
  return new RegExp(`^(?:${words.join('|')})$`, 'i');
}

/** Undefined if the cell means neither yes nor no. */
export function parsePaid(cell: string): boolean | undefined {
  if (yes.test(cell.trim())) return true;
  return no.test(cell.trim()) ? false : undefined;
}

/** Whether a cell of times says that there is none. */
export function meansNothing(cell: string): boolean {
  return cell.length <= maxWordLength && nothing.test(foldWord(cell));
}

/** Whether a cell says that a membership does not end. */
export function meansNoEnd(cell: string): boolean {
  return (cell.length <= maxWordLength && noEnd.test(foldWord(cell))) || meansNothing(cell);
}

/**
 * What a word for a state probably means: a suggestion that somebody has to confirm. Nothing happens to people with an
 * unfamiliar word, rather than that somebody who was blocked gets access.
 */
export function suggestedMeaning(word: string): StatusMeaning {
  return familiarMeaning(word) ?? 'leftOut';
}

/**
 * What a mark such as `yes` or `0` means below a heading that is itself the word for a state: `yes` below `Suspended`
 * is blocked. Undefined if the heading does not say it without doubt: not everybody without a mark below `Active` has
 * been blocked.
 */
export function markedMeaning(heading: string, mark: string): StatusMeaning | undefined {
  const state = foldWord(heading).replace(/^(?:is|ist|est)[_ -]?|[?:]$/g, '');
  const isMarked = parsePaid(mark);
  const meaning = familiarMeaning(state.replaceAll('_', ' '));
  if (isMarked === undefined || meaning === undefined) return undefined;
  if (isMarked) return meaning;
  return meaning === 'active' ? undefined : 'active';
}

/** Whether a cell only says how it stands with a member. */
export function isStateWord(cell: string): boolean {
  return familiarMeaning(cell) !== undefined;
}

/** Whether a word says that another system has blocked somebody. */
export function meansNoAccess(word: string): boolean {
  const meaning = familiarMeaning(word);
  return meaning === 'blocked' || meaning === 'leftOut';
}

function familiarMeaning(text: string): StatusMeaning | undefined {
  const word = foldWord(text);
  if (blocked.test(word)) return 'blocked';
  if (leftOut.test(word)) return 'leftOut';
  return active.test(word) ? 'active' : undefined;
}

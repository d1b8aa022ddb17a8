-- Up Migration

-- What became of a payment, in one word: the only place that decides it. Whether a card was refused
-- meanwhile is in card_decline and said where payments are read.
alter table payment add column outcome text not null generated always as (
  case
    when dispute in ('open', 'lost') then 'disputed'
    when state = 'settled' or intent_status = 'succeeded' then
      case
        when refunded_ore >= amount_ore then 'refunded'
        when refunded_ore > 0 then 'partly_refunded'
        when state = 'settled' then 'settled'
        else 'paid_unsettled'
      end
    when state = 'cancelled' and cancel_reason = 'abandoned' then 'abandoned'
    when state = 'cancelled' then 'cancelled'
    when intent_status = 'processing' then 'processing'
    when intent_status = 'requires_action' then 'requires_action'
    else 'open'
  end
) stored;
create index payment_outcome on payment (outcome, id desc);
create index payment_email_part on payment using gin (email gin_trgm_ops);
create index stripe_event_intent on stripe_event (payment_intent_id)
  where payment_intent_id is not null;

-- Down Migration

drop index stripe_event_intent, payment_email_part, payment_outcome;
alter table payment drop column outcome;

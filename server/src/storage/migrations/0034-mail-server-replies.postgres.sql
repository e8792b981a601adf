-- What the mail server said when it rejected an email.
-- usable from: 0022-setup-tokens
ALTER TABLE emails ADD COLUMN mail_server_reply text;

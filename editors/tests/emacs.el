;;; emacs.el --- A session of reverl in Emacs with dap-mode, in batch  -*- lexical-binding: t; -*-

;; Debian's package elpa-dap-mode is the client: it sets a breakpoint, continues, steps, goes back by
;; restarting a frame and by what is typed, reads variables, stops on an exception, opens a recording.

(require (quote package))
(add-to-list (quote package-directory-list) "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'dap-mode)
(require 'dap-ui)

(defvar reverl (or (getenv "REVERL") (error "REVERL is the binary")))
(defvar root (file-name-as-directory (getenv "REVERL_ROOT")))
(defvar stock (concat root "examples/stock/stock.erl"))
(defvar work (file-name-as-directory (make-temp-file "reverl-emacs" t)))
(setq dap-breakpoints-file (concat work "breakpoints")
      lsp-session-file (concat work "session")
      dap-auto-show-output nil)

(dap-register-debug-provider
 "reverl"
 (lambda (conf) (plist-put conf :dap-server-path (list reverl "dap"))))

(defvar stops nil "What the session has told of its stops, the last first.")
(advice-add 'dap--on-event :before
            (lambda (_ event)
              (when (equal (gethash "event" event) "stopped")
                (push (gethash "body" event) stops))))

(defun wait-for-stop (count)
  "Wait until there were COUNT stops, and the one to look at is known."
  (with-timeout (60 (error "No stop %d came" count))
    (while (or (< (length stops) count)
               (null (dap--debug-session-active-frame (dap--cur-session))))
      (accept-process-output nil 0.05)))
  (car stops))

(defun begin (&rest conf)
  (setq stops nil)
  (dap-debug (append (list :type "reverl" :request "launch" :name "test") conf)))

(defun going (count act)
  "Do ACT and wait for stop COUNT."
  (setf (dap--debug-session-active-frame (dap--cur-session)) nil)
  (funcall act)
  (wait-for-stop count))

(defun line () (gethash "line" (dap--debug-session-active-frame (dap--cur-session))))

(defun same (what is wanted)
  (unless (equal is wanted) (error "%s is %S and not %S" what is wanted))
  (message "ok: %s is %S" what is))

(defun locals ()
  (let* ((session (dap--cur-session))
         (frame (gethash "id" (dap--debug-session-active-frame session)))
         (scopes (gethash "scopes" (dap-request session "scopes" :frameId frame)))
         (reference (gethash "variablesReference" (elt scopes 0)))
         (shown (dap-request session "variables" :variablesReference reference)))
    (mapcar (lambda (v) (cons (gethash "name" v) (gethash "value" v)))
            (gethash "variables" shown))))

(defun typed (text)
  (gethash "result" (dap-request (dap--cur-session) "evaluate" :expression text :context "repl")))

;; A breakpoint, steps, variables.
(find-file stock)
(goto-char (point-min))
(forward-line 16)
(dap-breakpoint-add)
(begin :program stock)
(wait-for-stop 1)
(same "the reason" (gethash "reason" (car stops)) "breakpoint")
(same "the line" (line) 17)
(same "Left" (cdr (assoc "Left" (locals))) "3")
(going 2 (lambda () (dap-next (dap--cur-session))))
(same "the line after a step" (line) 18)

;; dap-mode has no step back: it is typed, and a frame is restarted.
(going 3 (lambda () (typed "reverse-next")))
(same "the line after a step back" (line) 17)
(going 4 (lambda () (typed "undo send #84.1")))
(same "undoing a send" (gethash "reason" (car stops)) "goto")
(typed (concat "save " work "stock.reverl"))
(dap-disconnect (dap--cur-session))

;; A stop on an exception: dap-mode asks for the filters that are on by default.
(begin :program (concat root "examples/shop") :entry "shop:crash()")
(wait-for-stop 1)
(same "the reason" (gethash "reason" (car stops)) "exception")
(dap-disconnect (dap--cur-session))

;; A recording.
(begin :recording (concat work "stock.reverl"))
(wait-for-stop 1)
(same "the line in the recording" (line) 17)
(dap-disconnect (dap--cur-session))
(delete-directory work t)
(message "all is well")

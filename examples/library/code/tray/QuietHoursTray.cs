using System;
using System.Collections.Generic;
using System.Linq;

namespace Tallowick.Lantern.Tray
{
    /// <summary>Decides whether the desktop icon may make a sound.</summary>
    public sealed class QuietHoursTray
    {
        private const int MaxVisibleToasts = 5;

        private readonly Queue<Toast> _pendingToasts = new();

        public TimeOnly QuietFrom { get; init; } = new(22, 0);

        public TimeOnly QuietTo { get; init; } = new(7, 0);

        /// <summary>Shows an urgent toast at once and keeps the others until the window closes.</summary>
        public IReadOnlyList<Toast> Offer(Toast toast, TimeOnly now)
        {
            _pendingToasts.Enqueue(toast);
            if (now.IsBetween(QuietFrom, QuietTo) && !toast.IsUrgent)
            {
                return Array.Empty<Toast>();
            }
            return ReleaseToasts().Take(MaxVisibleToasts).ToList();
        }

        private IEnumerable<Toast> ReleaseToasts()
        {
            while (_pendingToasts.TryDequeue(out var toast))
            {
                yield return toast;
            }
        }
    }

    public record Toast(string Title, string Body, bool IsUrgent);
}
